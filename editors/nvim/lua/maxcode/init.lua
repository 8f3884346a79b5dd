-- What a configuration calls: setup() and status().
local M = {}

local started = false

--- Set options and start. Not needed where the defaults are right.
---@param given? maxcode.Options
function M.setup(given)
  if vim.fn.has('nvim-0.7') == 0 then
    vim.notify('MaxCode needs Neovim 0.7 or newer, so nothing is started. Update Neovim.', vim.log.levels.WARN)
    return
  end
  require('maxcode.options').set(given)
  started = true
  require('maxcode.client').enable()
end

--- Serve C, C++ and CUDA buffers from now on; what setup() was given before this still holds.
function M.start()
  if started then return end
  started = true
  require('maxcode.client').enable()
end

--- For a statusline: `MaxCode 2.31× 14/64` while a run goes on, `MaxCode 2.31× ready` when its result can be applied, else
--- empty.
---@param bufnr? integer default: the current buffer
---@return string
function M.status(bufnr)
  local ok, said = pcall(function() return require('maxcode.runs').status(bufnr or vim.api.nvim_get_current_buf()) end)
  return ok and said or ''
end

return M
