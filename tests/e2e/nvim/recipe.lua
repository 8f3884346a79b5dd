-- The whole story in a client that nobody here wrote: Neovim 0.11 without the plugin, set up as docs/editors.md says.
--   MAXCODE_RECIPE=… MAXCODE_PYTHON=python3 MAXCODE_FILE=slow.cpp nvim --headless -u NONE -i NONE -n -S recipe.lua
-- Ends with 0 and "story: done" when everything was seen; else says what was not.
local file = assert(os.getenv('MAXCODE_FILE'))
local python = assert(os.getenv('MAXCODE_PYTHON'))
local LIMIT_MS = 180000

local function say(...) io.stdout:write(table.concat({ ... }, ' ') .. '\n') end
local function wait(what, condition)
  if not vim.wait(LIMIT_MS, condition, 50) then error('waited in vain for ' .. what, 0) end
  say('seen:', what)
end

local function story()
  dofile(assert(os.getenv('MAXCODE_RECIPE'))) -- what docs/editors.md gives, word for word
  vim.lsp.config('maxcode', { cmd = { python, '-m', 'maxcode_lsp', 'lsp' } })
  local kinds, messages = {}, {}
  vim.api.nvim_create_autocmd('LspProgress', {
    callback = function(event) kinds[#kinds + 1] = event.data.params.value.kind end,
  })
  vim.lsp.handlers['window/showMessage'] = function(_, params) messages[#messages + 1] = params.message end
  vim.lsp.handlers['window/showMessageRequest'] = function(_, params)
    messages[#messages + 1] = params.message
    return params.message:find('^Trust') and params.actions[1] or vim.NIL
  end

  vim.o.swapfile = false
  vim.cmd('filetype plugin on')
  vim.cmd.edit(vim.fn.fnameescape(file))
  local buffer = vim.api.nvim_get_current_buf()
  wait('the client', function() return #vim.lsp.get_clients({ bufnr = buffer, name = 'maxcode' }) == 1 end)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'maxcode' })[1]
  wait('initialize', function() return client.initialized end)

  local function request(method, params)
    local answer = client:request_sync(method, params, 20000, buffer)
    assert(answer and not answer.err, method .. ': ' .. vim.inspect(answer))
    return answer.result
  end
  vim.fn.search([[int main(]])
  vim.cmd('normal! w')
  local function actions()
    local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
    params.context = { diagnostics = {}, triggerKind = 1 }
    return request('textDocument/codeAction', params) or {}
  end
  local function choose(words)
    local listed = false
    for _, action in ipairs(actions()) do listed = listed or action.title:find(words, 1, true) ~= nil end
    assert(listed, 'there is no action ' .. words)
    vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title:find(words, 1, true) ~= nil end })
  end
  local function latest()
    local answer = request('maxcode/runs', { uri = vim.uri_from_bufnr(buffer) })
    return answer.runs[1] or {}
  end

  choose('Optimize')
  wait('progress of the first run', function() return kinds[1] == 'begin' and #kinds > 1 end)
  choose('Stop')
  wait('the first run stopped', function() return latest().status == 'cancelled' end)
  wait('its progress ended', function() return kinds[#kinds] == 'end' end)

  choose('Optimize')
  wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    assert(found.source == 'maxcode', vim.inspect(found))
    say('finding:', found.code, found.message)
  end
  wait('the second run to end', function() return latest().status ~= 'running' end)
  assert(latest().status == 'improved', vim.inspect(latest()))
  local ends, begins = 0, 0
  for _, kind in ipairs(kinds) do
    if kind == 'end' then ends = ends + 1 elseif kind == 'begin' then begins = begins + 1 end
  end
  assert(begins == 2 and ends == 2, 'progress: ' .. table.concat(kinds, ' '))

  local hover = request('textDocument/hover', vim.lsp.util.make_position_params(0, client.offset_encoding))
  assert(hover and hover.contents.value:find('×', 1, true), vim.inspect(hover))
  say('hover:', (hover.contents.value:gsub('\n', ' | ')))
  local lenses = request('textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(buffer) } })
  for _, lens in ipairs(lenses) do say('lens:', lens.command.title) end

  local before = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  choose('Apply MaxCode')
  wait('the edit', function() return not vim.deep_equal(before, vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) end)
  vim.cmd.write()
  wait('the confirmation of what was applied', function()
    for _, lens in ipairs(request('textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }) or {}) do
      if lens.command.title:find('confirmed', 1, true) then return true end
    end
    return false
  end)
  for _, message in ipairs(messages) do say('message:', message) end
  client:stop()
  wait('the client gone', function() return #vim.lsp.get_clients() == 0 end)
  say('story: done')
end

local ok, fault = pcall(story)
if not ok then
  say('FAILED: ' .. tostring(fault))
  vim.cmd('1cq!')
end
vim.cmd('qa!')
