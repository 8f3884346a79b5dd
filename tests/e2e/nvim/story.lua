-- The whole story with the plugin: open, optimize, stop, optimize, hover, compare, apply, save.
local S = dofile(os.getenv('MAXCODE_STAGE'))
local wait, was_said, text = S.wait, S.was_said, S.text

local function status() return require('maxcode').status() end

S.play(function() S.begin({ cmd = S.server }) end, function()
  local events = {}
  vim.api.nvim_create_autocmd('User', {
    pattern = { 'MaxCodeRun', 'LspProgressUpdate' },
    callback = function(event) events[event.match] = true end,
  })
  if S.MODERN then
    vim.api.nvim_create_autocmd('LspProgress', {
      callback = function(event) events[event.data.params.value.kind] = true end,
    })
  end

  local bufnr = S.open()
  local client = S.client(bufnr)
  local uri = vim.uri_from_bufnr(bufnr)
  local function latest() return S.latest(client, bufnr) end
  local function lens(words)
    for _, one in ipairs(vim.lsp.codelens.get(bufnr)) do
      if one.command.title:find(words, 1, true) then return true end
    end
    return false
  end
  wait('the lens', function() return lens('Optimize') end)
  assert(status() == '', status())

  -- Words that make no sense are told.
  vim.cmd('MaxCode nonsense')
  assert(was_said('there is no :MaxCode nonsense. There are: apply, compare,'), vim.inspect(S.messages))
  vim.cmd('MaxCode optimize fast')
  assert(was_said('“fast” is no setting, so nothing was started.'))
  vim.cmd('MaxCode compare')
  wait('that there is no run', function() return was_said('there is no run of “slow.cpp” yet') end)
  vim.cmd('MaxCode stop')
  wait('that there is nothing to stop', function() return was_said('nothing is going on here') end)
  local offered = vim.fn.getcompletion('MaxCode ', 'cmdline')
  assert(vim.tbl_contains(offered, 'optimize') and vim.tbl_contains(offered, 'doctor'), vim.inspect(offered))
  offered = vim.fn.getcompletion('MaxCode optimize effort=', 'cmdline')
  assert(vim.tbl_contains(offered, 'effort=low'), vim.inspect(offered))

  -- Picking how: what is left starts nothing.
  S.select(nil)
  vim.cmd('MaxCode optimize!')
  wait('that nothing was chosen', function() return was_said('nothing was started, because nothing was chosen') end)
  assert(S.offered[1] == 'as set' and vim.tbl_contains(S.offered, 'high'), vim.inspect(S.offered))
  assert(#S.asked == 0, vim.inspect(S.asked))

  -- The first run, with a setting of its own; trust is asked for.
  S.answer('t')
  vim.cmd('MaxCode optimize budget=9')
  wait('the first run', function() return latest().status == 'running' end)
  assert(#S.asked == 1 and S.asked[1]:find('^Trust the folder'), vim.inspect(S.asked))
  assert(latest().budget == 9, 'the setting of the start holds')
  wait('the statusline', function() return status():find('^MaxCode %S') ~= nil end)
  wait('the lens of a run', function() return lens('Stop') end)
  vim.cmd('MaxCode stop')
  wait('the first run stopped', function() return latest().status == 'cancelled' end)
  wait('an empty statusline', function() return status() == '' end)

  -- The second, to its end.
  vim.cmd('MaxCode optimize')
  wait('findings', function() return #vim.diagnostic.get(bufnr) > 0 end)
  for _, found in ipairs(vim.diagnostic.get(bufnr)) do
    assert(found.source == 'maxcode', vim.inspect(found))
  end
  wait('the count in the statusline', function() return status():find('^MaxCode .*%d/6$') ~= nil end)
  vim.cmd('MaxCode apply')
  wait('that it is too early', function() return was_said('“slow.cpp” is still being optimised') end)
  wait('the end of the second run', function() return latest().status ~= 'running' end)
  assert(latest().status == 'improved' and latest().budget == 6, vim.inspect(latest()))
  wait('the result in the statusline', function() return status():find('× ready$') ~= nil end)
  wait('the lens of the result', function() return lens('ready') end)
  S.say('status:', status())
  assert(events.MaxCodeRun and (events.LspProgressUpdate or (events.begin and events['end'])), vim.inspect(events))

  vim.fn.search([[int main(]])
  vim.cmd('normal! w')
  local place = { textDocument = { uri = uri }, position = { line = vim.fn.line('.') - 1, character = 4 } }
  local hover = S.request(client, 'textDocument/hover', place)
  assert(hover.contents.value:find('Confirmed', 1, true), vim.inspect(hover))

  -- Compare, from the lens: a diff beside the buffer, closed with q.
  local windows = #vim.api.nvim_list_wins()
  local window = vim.api.nvim_get_current_win()
  S.select('Compare')
  vim.lsp.codelens.run()
  wait('the comparison', function() return #vim.api.nvim_list_wins() == windows + 1 end)
  local scratch = vim.api.nvim_get_current_buf()
  assert(vim.wo.diff and vim.wo[window].diff, 'both windows are a diff')
  assert(text(scratch):find('const std::vector<std::string>& words', 1, true), text(scratch))
  assert(vim.bo.filetype == 'cpp' and vim.bo.readonly and not vim.bo.modifiable and vim.bo.buftype == 'nofile')
  assert(vim.api.nvim_buf_get_name(scratch):find('^maxcode://.*/slow%.cpp$'), vim.api.nvim_buf_get_name(scratch))
  local title = vim.fn.exists('+winbar') == 1 and vim.wo.winbar or vim.wo.statusline
  assert(title:find('× faster (95 %% CI', 1, true), title)
  local labels = vim.api.nvim_buf_get_extmarks(scratch, vim.api.nvim_get_namespaces().maxcode, 0, -1, { details = true })
  assert(labels[1][4].virt_text[1][1]:find('parameter reference', 1, true), vim.inspect(labels))
  local worth = vim.b[scratch].maxcode.worth
  if vim.fn.exists('+statuscolumn') == 1 and next(worth) then
    local margin = vim.api.nvim_eval_statusline(vim.wo.statuscolumn, { use_statuscol_lnum = 5 }).str
    assert(margin:find(worth['5'], 1, true), margin)
  end
  vim.cmd('normal q')
  wait('it closed', function() return #vim.api.nvim_list_wins() == windows end)
  assert(not vim.wo.diff and not vim.api.nvim_buf_is_valid(scratch))
  assert(vim.fn.exists('+winbar') == 0 or vim.wo.winbar == '', 'the title is gone')

  -- Apply asks: no changes nothing, in the comparison neither.
  local before = text(bufnr)
  S.answer('n')
  vim.cmd('MaxCode apply')
  wait('the question', function() return #S.asked == 2 end)
  assert(S.asked[2]:find('^“slow.cpp” becomes [%d.]+× faster %(95 %% CI'), S.asked[2])
  assert(S.asked[2]:find('line %d+: parameter reference') and S.asked[2]:find('Apply th', 1, true), S.asked[2])
  S.answer('c')
  vim.cmd('MaxCode apply')
  wait('the comparison again', function() return #vim.api.nvim_list_wins() == windows + 1 end)
  S.answer('n')
  vim.cmd('MaxCode apply')
  wait('the question in the comparison', function() return #S.asked == 4 end)
  vim.wait(500, function() return text(bufnr) ~= before end, 50)
  assert(text(bufnr) == before, 'nothing is changed without a yes')
  -- So does the code action; yes puts it in, and closes the comparison.
  vim.api.nvim_set_current_win(window)
  S.answer('y')
  if S.MODERN then
    local function is_apply(action) return action.title:find('Apply MaxCode', 1, true) ~= nil end
    vim.lsp.buf.code_action({ apply = true, filter = is_apply })
  else
    vim.ui.select = function(items, _, chosen)
      for _, item in ipairs(items) do
        if item[2].title:find('Apply MaxCode', 1, true) then return chosen(item) end
      end
    end
    vim.lsp.buf.code_action()
  end
  wait('the edit', function() return text(bufnr) ~= before end)
  assert(#S.asked == 5, vim.inspect(S.asked))
  wait('the comparison closed', function() return #vim.api.nvim_list_wins() == windows end)
  local after = text(bufnr)
  vim.cmd('undo')
  assert(text(bufnr) == before, 'one undo takes it back')
  vim.cmd('redo')
  assert(text(bufnr) == after)
  vim.cmd('write')
  wait('its confirmation', function() return was_said('confirmed as applied') end)
  wait('the lens of what was applied', function() return lens('confirmed on this file') end)
  wait('an empty statusline again', function() return status() == '' end)
  vim.cmd('MaxCode apply')
  wait('that it is there already', function() return was_said('is in the buffer already') end)
  assert(#S.asked == 5, vim.inspect(S.asked))

  -- All runs: the one that is picked is compared.
  S.select('improved')
  vim.cmd('MaxCode runs')
  wait('the list of runs', function() return S.offered ~= nil end)
  assert(S.offered[1]:find('faster', 1, true) and S.offered[2]:find('cancelled', 1, true), vim.inspect(S.offered))
  S.select('faster')
  vim.cmd('MaxCode runs!')
  wait('the comparison of a run', function() return vim.api.nvim_buf_get_name(0):find('^maxcode://') ~= nil end)
  vim.cmd('quit')
  assert(not vim.wo[window].diff, ':quit closes it, too')

  S.quit_clients()
end)
