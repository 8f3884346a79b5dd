-- The command :MaxCode, and the server for C, C++ and CUDA buffers, unless `vim.g.maxcode_auto` is false.
if vim.g.loaded_maxcode or vim.fn.has('nvim-0.7') == 0 then return end
vim.g.loaded_maxcode = true

vim.api.nvim_create_user_command('MaxCode', function(given) require('maxcode.commands').run(given.fargs) end, {
  nargs = '*',
  complete = function(lead, line, position) return require('maxcode.commands').complete(lead, line:sub(1, position)) end,
  desc = 'MaxCode: optimize, stop, compare, apply, explain, runs, doctor',
})

if vim.fn.exists('##LspAttach') == 1 then
  vim.api.nvim_create_autocmd('LspAttach', {
    group = vim.api.nvim_create_augroup('maxcode-attach', { clear = true }),
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'maxcode' then require('maxcode.lenses').attached(client, event.buf) end
    end,
  })
end

-- After the user's configuration, which may call setup() or say no; lazy.nvim calls setup() right after this file.
local function begin()
  if vim.g.maxcode_auto ~= false then require('maxcode').start() end
end
if vim.v.vim_did_enter == 1 then
  vim.schedule(begin)
else
  vim.api.nvim_create_autocmd('VimEnter', { once = true, callback = begin })
end
