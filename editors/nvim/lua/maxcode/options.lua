-- The options of setup(): what they are, and what is said about those that are none.
local M = {}

---@class maxcode.Options
---@field cmd? string|string[] the server, with its arguments; not given: it is looked for (:help maxcode-server)
---@field trusted? boolean whether code of the open folders may be run; not given: you are asked, once a folder
---@field settings? table as in maxcode.toml, over it
---@field lens? boolean a line above `main` says how it stands (default: true)
---@field progress? boolean progress in the message line (default: true)
---@field on_attach? fun(client: table, bufnr: integer)

local KINDS = {
  cmd = { 'string', 'table' },
  trusted = { 'boolean' },
  settings = { 'table' },
  lens = { 'boolean' },
  progress = { 'boolean' },
  on_attach = { 'function' },
}
local DEFAULTS = { lens = true, progress = true }

---@type maxcode.Options
M.now = vim.deepcopy(DEFAULTS)
--- Whether anything was set: what was not must not come over `vim.lsp.config('maxcode', …)`.
M.given = false

local function wrong_about(name, value)
  local kinds = KINDS[name]
  if not kinds then return 'there is none of this name' end
  if not vim.tbl_contains(kinds, type(value)) then return 'it should be a ' .. table.concat(kinds, ' or a ') end
  return nil
end

--- What makes no sense is told, and its default holds.
---@param given? table
function M.set(given)
  M.given = M.given or given ~= nil
  local taken = {}
  for name, value in pairs(type(given) == 'table' and given or {}) do
    local wrong = wrong_about(name, value)
    if wrong then
      local said = ('the option “%s” of setup() is ignored: %s. See :help maxcode-options.'):format(tostring(name), wrong)
      require('maxcode.say').sentence(said, vim.log.levels.WARN)
    else
      taken[name] = value
    end
  end
  if type(taken.cmd) == 'string' then taken.cmd = { vim.fn.expand(taken.cmd), 'lsp' } end
  M.now = vim.tbl_extend('force', M.now, taken)
end

return M
