-- No server anywhere: one message and no error; with vim.g.maxcode_auto = false not even that.
local S = dofile(os.getenv('MAXCODE_STAGE'))

local auto = os.getenv('MAXCODE_AUTO') ~= 'no'

S.play(function()
  vim.g.maxcode_auto = auto
  S.begin()
end, function()
  S.open()
  vim.cmd('edit!')
  vim.wait(800, function() return false end)
  if auto then
    assert(#S.messages == 1 and S.messages[1]:find('no server was found', 1, true), vim.inspect(S.messages))
  else
    assert(#S.messages == 0, vim.inspect(S.messages))
  end
  vim.cmd('MaxCode optimize')
  assert(S.messages[#S.messages]:find('no server was found, so nothing is offered. Install it', 1, true), vim.inspect(S.messages))
  vim.cmd('MaxCode doctor')
  assert(#S.messages == (auto and 3 or 2) and vim.bo.buftype ~= 'terminal', vim.inspect(S.messages))
  vim.cmd('checkhealth maxcode')
  local health = S.text()
  assert(health:find('No server was found', 1, true) and health:find('pip install', 1, true), health)
  assert(require('maxcode').status() == '')
end)
