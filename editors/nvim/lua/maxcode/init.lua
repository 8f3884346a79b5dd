-- What a configuration calls: setup() and status().
local M = {}

local started = false

---@class maxcode.Options
---@field cmd? string[] the server and its arguments; not given: it is looked for
---@field trusted? boolean whether code of the open folders may be run; not given: you are asked once a folder
---@field settings? table as in maxcode.toml; comes over it
---@field lens? boolean one line above `main` says how it stands (default true)
---@field echo? boolean progress in the command line (default true)
---@field on_attach? fun(client: table, bufnr: integer)

---@type maxcode.Options
M.options = { lens = true, echo = true }

--- Set options and start. Not needed where the defaults are right.
---@param options? maxcode.Options
function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
  M.start()
end

--- Serve C and C++ buffers from now on. Called by the plugin itself.
function M.start()
  if started then return end
  started = true
  require('maxcode.client').enable()
end

--- For a statusline: `MaxCode 2.31× 14/64`; empty where nothing is going on.
---@param bufnr? integer
---@return string
function M.status(bufnr) return require('maxcode.progress').status(bufnr or vim.api.nvim_get_current_buf()) end

return M
