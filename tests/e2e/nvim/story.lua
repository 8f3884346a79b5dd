-- The whole story with the plugin, in Neovim 0.7 and 0.11, headless.
--   MAXCODE_PLUGIN=editors/nvim MAXCODE_PYTHON=python3 MAXCODE_FILE=slow.cpp nvim --headless -u NONE -i NONE -n -S story.lua
-- Ends with 0 and "story: done" when everything was seen; else says what was not.
local file, python, plugin = assert(os.getenv('MAXCODE_FILE')), assert(os.getenv('MAXCODE_PYTHON')), assert(os.getenv('MAXCODE_PLUGIN'))
local LIMIT_MS = 180000
local MODERN = vim.fn.has('nvim-0.11') == 1

local function say(...) io.stdout:write(table.concat({ ... }, ' ') .. '\n') end
local function wait(what, condition)
  if not vim.wait(LIMIT_MS, condition, 50) then error('waited in vain for ' .. what, 0) end
  say('seen:', what)
end
local function lines(bufnr) return table.concat(vim.api.nvim_buf_get_lines(bufnr or 0, 0, -1, true), '\n') end

local messages, asked, answer = {}, {}, 2
vim.notify = function(message) messages[#messages + 1] = message end
local function was_said(words)
  for _, message in ipairs(messages) do
    if message:find(words, 1, true) then return true end
  end
  return false
end

local function story()
  vim.lsp.handlers['window/showMessage'] = function(_, params)
    messages[#messages + 1] = params.message
    return vim.NIL
  end
  vim.lsp.handlers['window/showMessageRequest'] = function(_, params)
    messages[#messages + 1] = params.message
    return params.message:find('^Trust') and params.actions[1] or vim.NIL
  end
  vim.fn.confirm = function(text)
    asked[#asked + 1] = text
    return answer
  end
  vim.o.swapfile = false
  vim.o.hidden = true
  vim.o.columns = 160
  vim.opt.runtimepath:append(plugin)
  vim.cmd('filetype plugin on')
  vim.cmd('runtime plugin/maxcode.lua')
  require('maxcode').setup({ cmd = { python, '-m', 'maxcode_lsp', 'lsp' } })
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  local bufnr = vim.api.nvim_get_current_buf()
  local lsp = require('maxcode.client')
  wait('the client', function() return lsp.of(bufnr) ~= nil end)
  local client = lsp.of(bufnr)
  wait('initialize', function() return client.server_capabilities and next(client.server_capabilities) ~= nil and client.initialized ~= false end)

  local function request(method, params)
    local got, failed
    local function done(fault, result) got, failed = result, fault or false end
    if MODERN then client:request(method, params, done, bufnr) else client.request(method, params, done, bufnr) end
    assert(vim.wait(20000, function() return failed ~= nil end, 10), method .. ': no answer')
    assert(not failed, method .. ': ' .. vim.inspect(failed))
    return got
  end
  local function latest() return request('maxcode/runs', { uri = vim.uri_from_bufnr(bufnr) }).runs[1] or {} end

  local offered = vim.fn.getcompletion('MaxCode ', 'cmdline')
  assert(vim.tbl_contains(offered, 'optimize') and vim.tbl_contains(offered, 'doctor'), vim.inspect(offered))
  vim.cmd('MaxCode nonsense')
  assert(was_said('there is no “nonsense”'), vim.inspect(messages))
  vim.cmd('MaxCode compare')
  wait('that there is no run yet', function() return was_said('there is no run of this file yet') end)
  assert(require('maxcode').status() == '')

  vim.cmd('MaxCode optimize budget=9')
  wait('the first run', function() return latest().status == 'running' end)
  wait('the statusline', function() return require('maxcode').status():find('^MaxCode .*0/9') ~= nil or require('maxcode').status():find('/9') ~= nil end)
  vim.cmd('MaxCode stop')
  wait('the first run stopped', function() return latest().status == 'cancelled' end)
  wait('an empty statusline', function() return require('maxcode').status() == '' end)

  vim.cmd('MaxCode optimize')
  wait('diagnostics', function() return #vim.diagnostic.get(bufnr) > 0 end)
  for _, found in ipairs(vim.diagnostic.get(bufnr)) do
    assert(found.source == 'maxcode', vim.inspect(found))
  end
  wait('the end of the second run', function() return latest().status ~= 'running' end)
  assert(latest().status == 'improved', vim.inspect(latest()))
  assert(latest().budget == 6, 'maxcode.toml holds where nothing else is said')
  wait('the result in the statusline', function() return require('maxcode').status():find('ready$') ~= nil end)
  say('status:', require('maxcode').status())
  vim.fn.search([[int main(]])
  vim.cmd('normal! w')
  local place = { textDocument = { uri = vim.uri_from_bufnr(bufnr) }, position = { line = vim.fn.line('.') - 1, character = 4 } }
  assert(request('textDocument/hover', place).contents.value:find('Confirmed', 1, true))

  -- Compare: a diff beside the buffer, closed with q.
  local windows = #vim.api.nvim_list_wins()
  vim.cmd('MaxCode compare')
  wait('the comparison', function() return #vim.api.nvim_list_wins() == windows + 1 end)
  local scratch = vim.api.nvim_get_current_buf()
  assert(vim.wo.diff and lines(scratch):find('const std::vector<std::string>& words', 1, true), lines(scratch))
  assert(vim.api.nvim_buf_get_name(scratch):find('maxcode://', 1, true) and not vim.bo[scratch].modifiable)
  assert(#vim.api.nvim_buf_get_extmarks(scratch, -1, 0, -1, {}) > 0, 'what each change is worth')
  local title = MODERN and vim.wo.winbar or vim.wo.statusline
  assert(title:find('× faster (95 %% CI', 1, true), title)
  vim.cmd('normal q')
  wait('it closed', function() return #vim.api.nvim_list_wins() == windows end)
  assert(not vim.wo.diff)

  -- Apply asks: no changes nothing.
  local before = lines(bufnr)
  vim.cmd('MaxCode apply')
  wait('the question', function() return #asked == 1 end)
  assert(asked[1]:find('faster', 1, true) and asked[1]:find('Apply %d changes?%?'), asked[1])
  vim.wait(300)
  assert(lines(bufnr) == before, 'nothing is changed without a yes')
  -- So does the lens and the code action, which is a command for that.
  answer = 1
  local range = { start = place.position, ['end'] = place.position }
  local actions = request('textDocument/codeAction', { textDocument = place.textDocument, range = range, context = { diagnostics = {}, triggerKind = 1 } })
  local apply
  for _, action in ipairs(actions) do
    if action.title:find('Apply MaxCode', 1, true) then apply = action end
  end
  assert(apply and apply.command and not apply.edit, vim.inspect(actions))
  vim.lsp.commands[apply.command.command](apply.command, {})
  wait('the second question', function() return #asked == 2 end)
  wait('the edit', function() return lines(bufnr) ~= before end)
  vim.cmd('write')
  wait('its confirmation', function() return was_said('confirmed as applied') end)
  wait('an empty statusline again', function() return require('maxcode').status() == '' end)

  -- All runs.
  local listed
  vim.ui.select = function(items, options, chosen)
    listed = options.format_item(items[1])
    chosen(nil)
  end
  vim.cmd('MaxCode runs')
  wait('the list of runs', function() return listed ~= nil end)
  say('run:', listed)

  -- Health, help, doctor.
  vim.cmd('checkhealth maxcode')
  local health = lines()
  assert(health:find('maxcode 0', 1, true) and health:find('Running for', 1, true), health)
  assert(not health:find('- ERROR', 1, true), health)
  vim.cmd('bwipeout!')
  vim.cmd('helptags ' .. vim.fn.fnameescape(plugin .. '/doc'))
  vim.cmd('help maxcode-status')
  assert(vim.fn.expand('%:t') == 'maxcode.txt')
  vim.cmd('helpclose')
  vim.cmd('MaxCode doctor')
  assert(vim.bo.buftype == 'terminal')
  wait('the doctor', function() return lines():find('compiler', 1, true) ~= nil end)
  vim.cmd('bwipeout!')

  -- A CUDA file is told about; a text is no business of ours.
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.fn.fnamemodify(file, ':h') .. '/scale.cu'))
  vim.bo.filetype = 'cuda'
  wait('the client of the CUDA file', function() return lsp.of(vim.api.nvim_get_current_buf()) ~= nil end)
  vim.cmd('MaxCode explain')
  wait('why CUDA is not served', function() return was_said('CUDA targets are coming') end)
  vim.cmd('enew')
  vim.cmd('MaxCode optimize')
  assert(was_said('open a C or C++ program first'), vim.inspect(messages))

  for _, one in ipairs(lsp.clients()) do
    if MODERN then one:stop() else one.stop() end
  end
  wait('the clients gone', function() return #lsp.clients() == 0 end)
  say('story: done')
end

local ok, fault = pcall(story)
if not ok then
  say('FAILED: ' .. tostring(fault))
  say(vim.inspect(messages))
  vim.cmd('1cq!')
end
vim.cmd('qa!')
