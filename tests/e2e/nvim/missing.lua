-- No server anywhere: one message, no error; and vim.g.maxcode_auto, with which nothing is begun.
local function say(...) io.stdout:write(table.concat({ ... }, ' ') .. '\n') end
local messages = {}
vim.notify = function(message) messages[#messages + 1] = message end
local ok, fault = pcall(function()
  vim.opt.runtimepath:append(assert(os.getenv('MAXCODE_PLUGIN')))
  vim.cmd('filetype plugin on')
  vim.o.swapfile = false
  vim.g.maxcode_auto = os.getenv('MAXCODE_AUTO') ~= 'no'
  vim.cmd('runtime plugin/maxcode.lua')
  vim.cmd('doautocmd VimEnter')
  vim.cmd('edit ' .. vim.fn.fnameescape(assert(os.getenv('MAXCODE_FILE'))))
  vim.cmd('edit!')
  vim.wait(800, function() return false end)
  if vim.g.maxcode_auto then
    assert(#messages == 1 and messages[1]:find('its server was not found', 1, true), vim.inspect(messages))
  else
    assert(#messages == 0, vim.inspect(messages))
  end
  messages = {}
  vim.cmd('MaxCode optimize')
  assert(#messages == 1 and messages[1]:find('checkhealth', 1, true), vim.inspect(messages))
  vim.cmd('checkhealth maxcode')
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
  assert(health:find('The server was not found', 1, true), health)
  assert(vim.v.errmsg == '', vim.v.errmsg)
  say('story: done')
end)
if not ok then
  say('FAILED: ' .. tostring(fault))
  vim.cmd('1cq!')
end
vim.cmd('qa!')
