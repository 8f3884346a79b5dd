-- Where the server is.
local M = {}

local told = false

---@param path string
local function is_program(path) return vim.fn.executable(path) == 1 end

--- The folder around a file that has one of some names in it.
---@param file string
---@param names string[]
---@return string? folder
function M.above(file, names)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  while true do
    for _, name in ipairs(names) do
      if vim.loop.fs_stat(folder .. '/' .. name) then return folder end
    end
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then return nil end
    folder = parent
  end
end

--- The folder that is opened for a file.
---@param file string
---@return string
function M.root(file) return M.above(file, { 'maxcode.toml', 'compile_commands.json', '.git' }) or vim.fn.fnamemodify(file, ':p:h') end

--- The command that starts the server for a file: `cmd` of setup(), the active Python environment, `.venv` above the file,
--- `maxcode` on the PATH. Nil: it is nowhere.
---@param file string
---@return string[]?
function M.command(file)
  local given = require('maxcode').options.cmd
  if given then return is_program(given[1]) and given or nil end
  local environment = os.getenv('VIRTUAL_ENV')
  local above = M.above(file, { '.venv/bin/maxcode' })
  for _, path in ipairs({ environment and environment .. '/bin/maxcode' or '', above and above .. '/.venv/bin/maxcode' or '', 'maxcode' }) do
    if path ~= '' and is_program(path) then return { path, 'lsp' } end
  end
  return nil
end

--- Say, once, that there is no server.
function M.tell_missing()
  if told then return end
  told = true
  local given = require('maxcode').options.cmd
  local what = given and ('“' .. given[1] .. '”, which setup() names, is no program.')
    or 'its server was not found: neither in $VIRTUAL_ENV, nor in .venv above this file, nor on the PATH.'
  vim.schedule(function() vim.notify('MaxCode: ' .. what .. ' See :help maxcode-server.', vim.log.levels.WARN) end)
end

return M
