-- Nothing is configured, and a server is somewhere.
local S = dofile(os.getenv('MAXCODE_STAGE'))

S.play(S.begin, function()
  S.client(S.open())
  vim.cmd('MaxCode')
  S.wait('the state', function() return S.was_said('Ready: choose “Optimize” to start.') end)
  S.quit_clients()
end)
