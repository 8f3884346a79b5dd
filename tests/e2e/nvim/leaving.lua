-- Neovim is left in the middle of a run.
local S = dofile(os.getenv('MAXCODE_STAGE'))

S.play(function() S.begin({ cmd = S.server, trusted = true, settings = { budget = 5 } }) end, function()
  local bufnr = S.open()
  local client = S.client(bufnr)
  vim.cmd('MaxCode optimize')
  S.wait('a run', function() return S.latest(client, bufnr).status == 'running' end)
  assert(#S.asked == 0 and S.latest(client, bufnr).budget == 5, vim.inspect(S.latest(client, bufnr)))
  S.wait('its search', function() return S.latest(client, bufnr).phase == 'searching' end)
end)
