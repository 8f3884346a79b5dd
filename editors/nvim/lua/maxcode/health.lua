-- :checkhealth maxcode
local M = {}

local LIMIT_MS = 5000
local COMPILERS = { 'g++', 'gcc', 'clang++', 'clang' }

local api = vim.health or require('health') -- the latter up to Neovim 0.7
local start = api.start or api.report_start
local ok, info = api.ok or api.report_ok, api.info or api.report_info
local warn, fail = api.warn or api.report_warn, api.error or api.report_error

--- What a program prints; nil: it did not end well, or not in time.
local function printed(words)
  local lines = {}
  local function keep(_, data) vim.list_extend(lines, data) end
  local started, job = pcall(vim.fn.jobstart, words, { on_stdout = keep, stdout_buffered = true })
  if not started or job <= 0 then return nil end
  local code = vim.fn.jobwait({ job }, LIMIT_MS)[1]
  if code == -1 then vim.fn.jobstop(job) end
  return code == 0 and vim.trim(table.concat(lines, '\n')) or nil
end

local function neovim()
  local version = vim.version()
  local said = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.8') == 1 then return ok(said) end
  warn(said .. ' works, without titles above comparisons.', { 'Neovim 0.8 and newer have everything.' })
end

local function server()
  local maxcode = require('maxcode.server')
  local root = maxcode.root(vim.loop.cwd() .. '/_')
  local command, place = maxcode.command(root)
  if not command then
    fail(maxcode.missing():gsub('^%l', string.upper), {
      'Looked for, in this order: `cmd` of the configuration; $VIRTUAL_ENV/bin/maxcode; '
        .. '.venv/bin/maxcode in the project, where you allow it; maxcode on the PATH.',
      'Install it: pip install maxcode-lsp; in a checkout of MaxCode: make setup.',
    })
    return
  end
  local version = printed(maxcode.other(root, '--version'))
  local said = ('%s, from: %s'):format(table.concat(command, ' '), place)
  if version then return ok(('Server: %s (%s)'):format(version, said)) end
  local words = table.concat(maxcode.other(root, '--version'), ' ')
  fail('The server does not start: ' .. said, { 'In a terminal, see what this says: ' .. words })
end

local TRUST = { [true] = 'its folder is trusted', [false] = 'its folder is not trusted, so nothing is run' }

local function buffer(client, bufnr)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
  local answer, failed
  require('maxcode.client').request(client, 'maxcode/status', { uri = vim.uri_from_bufnr(bufnr) }, function(status)
    answer = status
  end, function() failed = true end)
  vim.wait(LIMIT_MS, function() return answer ~= nil or failed end, 20)
  if not answer then
    local advice = 'Where it is gone, :edit starts it again; ' .. require('maxcode.server').LOG
    return fail(('%s: the server does not answer.'):format(name), { advice })
  end
  local trusted = TRUST[answer.trusted] or 'nobody has said yet whether its folder is trusted'
  local tell = answer.state == 'inactive' and warn or ok
  tell(('%s: %s (%s; server %s, its engine: %s)'):format(name, answer.reason, trusted, answer.version, answer.engine))
end

local function buffers()
  local served = 0
  for _, client in ipairs(require('maxcode.client').all()) do
    for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
      if vim.lsp.buf_is_attached(bufnr, client.id) then
        served = served + 1
        buffer(client, bufnr)
      end
    end
  end
  if served == 0 then info('No buffer is served now. Open a C or C++ file.') end
  if vim.g.maxcode_auto == false then info('g:maxcode_auto is false: only setup() or vim.lsp.enable() start the server.') end
end

local function compiler()
  for _, name in ipairs(COMPILERS) do
    if vim.fn.executable(name) == 1 then return ok('Compiler: ' .. vim.fn.exepath(name)) end
  end
  fail('There is no C++ compiler on the PATH, so nothing can be built.', { 'Debian: apt install g++' })
end

function M.check()
  start('MaxCode')
  neovim()
  server()
  compiler()
  start('Buffers')
  buffers()
end

return M
