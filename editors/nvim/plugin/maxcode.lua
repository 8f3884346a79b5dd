-- The command, and the server for C and C++ buffers, unless `vim.g.maxcode_auto` is false.
if vim.g.loaded_maxcode then return end
vim.g.loaded_maxcode = true

vim.api.nvim_create_user_command('MaxCode', function(given) require('maxcode.commands').run(given) end, {
  nargs = '+',
  complete = function(...) return require('maxcode.commands').complete(...) end,
  desc = 'Make this program faster: optimize, stop, compare, apply, explain, runs, doctor',
})

-- Later than the user's own configuration, which may call setup() or say no.
local function begin()
  if vim.g.maxcode_auto ~= false then require('maxcode').start() end
end
if vim.v.vim_did_enter == 1 then
  begin()
else
  vim.api.nvim_create_autocmd('VimEnter', { once = true, callback = begin })
end
