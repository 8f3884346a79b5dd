-- The recipe with lazy.nvim, which loads a plugin when the first file of its types is opened: the folder comes onto the
-- runtimepath, its plugin/ is sourced, `opts` go to setup(), and the event is sent again.
local S = dofile(os.getenv('MAXCODE_STAGE'))

S.play(function() end, function()
  local spec = assert(loadstring('return ' .. io.open(os.getenv('MAXCODE_RECIPE')):read('*a')))()
  assert(vim.tbl_contains(spec.ft, 'cpp') and spec.cmd == 'MaxCode', vim.inspect(spec))
  local bufnr = S.open()
  vim.opt.runtimepath:append(spec.dir)
  vim.cmd('source ' .. vim.fn.fnameescape(spec.dir .. '/plugin/maxcode.lua'))
  require('maxcode').setup(spec.opts)
  vim.cmd('doautocmd FileType')
  S.client(bufnr)
  vim.wait(300, function() return false end, 20)
  assert(#require('maxcode.client').all() == 1, 'one client, although the plugin starts by itself, too')
  assert(#S.messages == 0, vim.inspect(S.messages))
  S.quit_clients()
end)
