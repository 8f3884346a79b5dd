-- The recipe without a plugin manager.
local S = dofile(os.getenv('MAXCODE_STAGE'))

S.play(function()
  dofile(os.getenv('MAXCODE_RECIPE'))
  vim.cmd('runtime plugin/maxcode.lua') -- by Neovim itself, with a configuration
end, function()
  S.client(S.open())
  assert(vim.fn.exists(':MaxCode') == 2 and #S.messages == 0, vim.inspect(S.messages))
  S.quit_clients()
end)
