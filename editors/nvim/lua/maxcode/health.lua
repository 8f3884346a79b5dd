-- :checkhealth maxcode
local M = {}

local health = vim.health or {}
local function report(new, old)
  return health[new] or health[old] or require('health')[old]
end
local start, ok, warn, fail = report('start', 'report_start'), report('ok', 'report_ok'), report('warn', 'report_warn'), report('error', 'report_error')
local LIMIT_MS = 5000

local function server(file)
  local command = require('maxcode.server').command(file)
  if not command then
    fail('The server was not found.', { 'Install it, or name it in require("maxcode").setup({ cmd = { "/path/to/maxcode", "lsp" } }).', 'See :help maxcode-server.' })
    return
  end
  local words = vim.list_slice(command, 1, #command - 1)
  words[#words + 1] = '--version'
  local said = vim.fn.system(words)
  if vim.v.shell_error == 0 then ok(vim.trim(said) .. ' (' .. command[1] .. ')') else fail(command[1] .. ' does not run: ' .. vim.trim(said)) end
end

local function client()
  local lsp = require('maxcode.client')
  local running = lsp.clients()
  if #running == 0 then return warn('No buffer is served. Open a C or C++ file.') end
  for _, one in ipairs(running) do
    local answer
    lsp.request(one, 'maxcode/status', vim.empty_dict(), function(result) answer = result end)
    vim.wait(LIMIT_MS, function() return answer ~= nil end, 20)
    if answer then
      local tell = answer.state == 'inactive' and warn or ok
      tell(('Running for %d buffer(s): %s'):format(vim.tbl_count(one.attached_buffers or {}), answer.reason))
    else
      fail('The server does not answer.', { 'Its log: ~/.local/state/maxcode/log/maxcode.log' })
    end
  end
end

function M.check()
  start('MaxCode')
  local version = vim.version()
  local said = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.8') == 1 then ok(said) else warn(said .. ': the basics work; 0.8 and newer have all of it.') end
  server(vim.api.nvim_buf_get_name(0))
  client()
  if vim.fn.executable('g++') == 1 or vim.fn.executable('clang++') == 1 then ok('A C++ compiler is there.') else fail('No C++ compiler was found.', { 'Debian: apt install g++' }) end
end

return M
