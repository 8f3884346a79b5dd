-- The line above `main`: Neovim shows lenses only when it is told to.
local M = {}

local options = require('maxcode.options')

local function renew(bufnr)
  if not options.now.lens or not vim.api.nvim_buf_is_loaded(bufnr) then return end
  if vim.lsp.codelens.enable then -- from Neovim 0.12 on, which then renews them by itself
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
  elseif vim.fn.has('nvim-0.10') == 1 then
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  else
    vim.api.nvim_buf_call(bufnr, vim.lsp.codelens.refresh)
  end
end

--- Renew those of all buffers that a client serves.
---@param client integer its id
function M.refresh(client)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.lsp.buf_is_attached(bufnr, client) then renew(bufnr) end
  end
end

--- A buffer is served from now on.
---@param client table
---@param bufnr integer
function M.attached(client, bufnr)
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('maxcode-' .. bufnr, { clear = true }),
    buffer = bufnr,
    callback = function()
      if vim.lsp.buf_is_attached(bufnr, client.id) then renew(bufnr) end
    end,
  })
  renew(bufnr)
  if options.now.on_attach then options.now.on_attach(client, bufnr) end
end

return M
