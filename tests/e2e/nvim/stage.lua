-- What every script here stands on: it plays in a headless Neovim (0.7 and newer), without a configuration of the user's.
--   MAXCODE_PLUGIN=editors/nvim MAXCODE_PYTHON=python3 MAXCODE_FILE=slow.cpp nvim --headless -u NONE -i NONE -n -S script.lua
-- A script ends with 0 and "story: done" when everything was seen; else it says what was not.
local S = {}

local LIMIT_MS = 240000
S.MODERN = vim.fn.has('nvim-0.11') == 1
S.file = assert(os.getenv('MAXCODE_FILE'))
S.server = { assert(os.getenv('MAXCODE_PYTHON')), '-m', 'maxcode_lsp', 'lsp' }

function S.say(...) io.stdout:write(table.concat({ ... }, ' ') .. '\n') end

function S.wait(what, condition)
  if not vim.wait(LIMIT_MS, condition, 50) then error('waited in vain for ' .. what, 0) end
  S.say('seen:', what)
end

--- All that was told with vim.notify.
S.messages = {}
vim.notify = function(message) S.messages[#S.messages + 1] = message end

function S.was_said(words)
  for _, message in ipairs(S.messages) do
    if message:find(words, 1, true) then return message end
  end
  return nil
end

--- All questions of confirm(). The next is answered with a key: with the real one, except that a headless Neovim 0.7 has no keys.
S.asked = {}
local keys = {}
function S.answer(key)
  if S.MODERN then vim.api.nvim_input(key) else keys[#keys + 1] = key end
end

local confirm = vim.fn.confirm
vim.fn.confirm = function(text, buttons, ...)
  S.asked[#S.asked + 1] = text
  if S.MODERN then return confirm(text, buttons, ...) end
  local key = assert(table.remove(keys, 1), 'nobody answers: ' .. text)
  for at, title in ipairs(vim.split(buttons, '\n')) do
    if title:lower():find('&' .. key, 1, true) then return at end
  end
  return 0
end

--- Have the next vim.ui.select choose the item whose line holds some words; nil: none. What was offered is kept.
function S.select(words)
  S.offered = nil
  vim.ui.select = function(items, options, chosen)
    local line = options.format_item or tostring
    S.offered = vim.tbl_map(line, items)
    S.prompt = options.prompt
    for at, item in ipairs(items) do
      if words and line(item):find(words, 1, true) then return chosen(item, at) end
    end
    chosen(nil)
  end
end

function S.text(bufnr) return table.concat(vim.api.nvim_buf_get_lines(bufnr or 0, 0, -1, true), '\n') end

--- The plugin on the runtimepath, as its users have it; what is given goes to setup().
function S.begin(options)
  vim.opt.runtimepath:append(assert(os.getenv('MAXCODE_PLUGIN')))
  if options then require('maxcode').setup(options) end
  vim.cmd('runtime plugin/maxcode.lua')
end

function S.open(file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file or S.file))
  return vim.api.nvim_get_current_buf()
end

--- The client of a buffer, once it is there.
function S.client(bufnr)
  local lsp = require('maxcode.client')
  S.wait('the client', function()
    local client = lsp.of(bufnr)
    return client and client.initialized ~= false and next(client.server_capabilities or {}) ~= nil
  end)
  return lsp.of(bufnr)
end

function S.request(client, method, params)
  local answer, fault
  local function done(failed, result) answer, fault = result, failed or false end
  if S.MODERN then client:request(method, params, done, 0) else client.request(method, params, done, 0) end
  assert(vim.wait(60000, function() return fault ~= nil end, 10), method .. ': no answer')
  assert(not fault, method .. ': ' .. vim.inspect(fault))
  return answer
end

--- The newest run of a buffer, as the server has it.
function S.latest(client, bufnr) return S.request(client, 'maxcode/runs', { uri = vim.uri_from_bufnr(bufnr) }).runs[1] or {} end

function S.quit_clients()
  local lsp = require('maxcode.client')
  for _, client in ipairs(lsp.all()) do
    if S.MODERN then client:stop() else client.stop() end
  end
  S.wait('the clients gone', function() return #lsp.all() == 0 end)
end

local function played(story)
  local ok, fault = xpcall(story, debug.traceback)
  for _, message in ipairs(S.messages) do
    S.say('message:', message)
  end
  if ok and vim.v.errmsg ~= '' then
    ok, fault = false, 'an error was shown: ' .. vim.v.errmsg
  end
  if not ok then
    S.say('FAILED: ' .. tostring(fault))
    vim.cmd('1cq!')
  end
  S.say('story: done')
  vim.cmd('qa!')
end

--- `configure` is what a user's configuration does; the story is played when Neovim has started.
function S.play(configure, story)
  vim.o.swapfile, vim.o.hidden, vim.o.columns, vim.o.lines = false, true, 160, 50
  vim.cmd('filetype plugin on')
  local ok, fault = xpcall(configure, debug.traceback)
  vim.api.nvim_create_autocmd('VimEnter', {
    once = true,
    callback = function()
      vim.schedule(function()
        played(ok and story or function() error(fault, 0) end)
      end)
    end,
  })
end

return S
