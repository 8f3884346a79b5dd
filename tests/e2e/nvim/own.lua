-- A server that comes with the project, in .venv, is started only where the user allows it; Neovim asks from 0.9 on.
local S = dofile(os.getenv('MAXCODE_STAGE'))

S.play(S.begin, function()
  S.answer(os.getenv('MAXCODE_ANSWER'))
  local bufnr = S.open()
  if not S.MODERN or os.getenv('MAXCODE_ANSWER') == 'i' then
    S.wait('that there is no server', function() return S.was_said('no server was found') end)
    assert(#S.asked == (S.MODERN and 1 or 0), vim.inspect(S.asked))
    return
  end
  assert(S.asked[1]:find('.venv/bin/maxcode is not trusted', 1, true), vim.inspect(S.asked))
  S.client(bufnr)
  S.quit_clients()
end)
