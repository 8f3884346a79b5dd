-- Where the server is.
local M = {}

local options = require('maxcode.options')

M.LOG = 'its log is ~/.local/state/maxcode/log/maxcode.log.'
M.MARKERS = { 'maxcode.toml', 'compile_commands.json', '.git' }

local told = false
local allowed = {} -- by program: what the user answered in this session

local function is_program(path) return vim.fn.executable(path) == 1 end

--- The nearest folder above a file that has one of the markers; nil: it is in none, and stands for itself.
---@param file string
---@return string?
function M.root(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  while true do
    for _, name in ipairs(M.MARKERS) do
      if vim.loop.fs_stat(folder .. '/' .. name) then return folder end
    end
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then return nil end
    folder = parent
  end
end

--- What the user named: with setup(), else with `vim.lsp.config('maxcode', { cmd = … })`.
local function named()
  if options.now.cmd then return options.now.cmd end
  local config = type(vim.lsp.config) == 'table' and vim.lsp.config.maxcode
  return config and type(config.cmd) == 'table' and config.cmd or nil
end

--- `.venv` comes with the folder: what is in it is not started before the user trusts it, as Neovim does it for 'exrc'.
local function own(root)
  local program = root and root .. '/.venv/bin/maxcode'
  if not (program and is_program(program) and vim.secure) then return nil end
  if allowed[program] == nil then
    local ok, content = pcall(vim.secure.read, program)
    allowed[program] = ok and content ~= nil
  end
  return allowed[program] and program or nil
end

--- The command that starts the server, and where it was found; nil: it is nowhere.
---@param root? string folder of the project
---@return string[]? command
---@return string? place
function M.command(root)
  local given = named()
  if given then
    if is_program(given[1]) then return given, 'configuration' end
    return nil
  end
  local environment = os.getenv('VIRTUAL_ENV')
  local active = environment and environment ~= '' and environment .. '/bin/maxcode'
  if active and is_program(active) then return { active, 'lsp' }, '$VIRTUAL_ENV' end
  local beside = own(root)
  if beside then return { beside, 'lsp' }, '.venv of the project' end
  if is_program('maxcode') then return { vim.fn.exepath('maxcode'), 'lsp' }, 'PATH' end
  return nil
end

--- Another command of the same program, such as `doctor`; nil: it is nowhere.
---@param root? string
---@return string[]?
function M.other(root, ...)
  local command = M.command(root)
  if not command then return nil end
  local words = {}
  for _, word in ipairs(command) do
    if word == 'lsp' or word == '--stdio' then break end
    words[#words + 1] = word
  end
  return vim.list_extend(words, { ... })
end

--- What there is to say where it is nowhere, one sentence.
---@return string
function M.missing()
  local given = named()
  if given then
    return ('the server “%s” is no program that can be run. Put its whole path into `cmd`; see :help maxcode-server.'):format(
      given[1]
    )
  end
  return 'no server was found, so nothing is offered. Install it, or name it: see :help maxcode-server.'
end

--- Say that, once.
function M.tell_missing()
  if told then return end
  told = true
  local sentence = M.missing()
  -- Not while a file is being opened: its own message would come over it.
  vim.schedule(function() require('maxcode.say').sentence(sentence, vim.log.levels.WARN) end)
end

return M
