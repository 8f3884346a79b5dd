-- How runs stand: for a statusline, the message line, and whoever listens to `User MaxCodeRun`.
local M = {}

local options = require('maxcode.options')
local say = require('maxcode.say')

local newest = {} -- by the path of the document: { run = RunInfo, client = integer }

local function path(uri)
  local ok, name = pcall(vim.uri_to_fname, uri)
  return ok and name or uri
end

---@param run table RunInfo
---@param client integer its id
function M.changed(run, client)
  local known = newest[path(run.uri)]
  -- Generations are counted from 1 by each server.
  if known and known.client == client and run.generation < known.run.generation then return end
  newest[path(run.uri)] = { run = run, client = client }
  vim.api.nvim_exec_autocmds('User', { pattern = 'MaxCodeRun', modeline = false })
  pcall(vim.cmd, 'redrawstatus!')
end

--- A server is gone, and so is what it did.
---@param client integer
function M.lost(client)
  for name, known in pairs(newest) do
    if known.client == client then newest[name] = nil end
  end
  pcall(vim.cmd, 'redrawstatus!')
end

--- The newest run of a buffer that this session has heard of.
---@param bufnr integer
---@return table? RunInfo
function M.of(bufnr)
  local known = vim.api.nvim_buf_is_valid(bufnr) and newest[vim.api.nvim_buf_get_name(bufnr)]
  return known and known.run or nil
end

---@param bufnr integer
---@return string
function M.status(bufnr)
  local run = M.of(bufnr)
  if not run then return '' end
  local best = say.number(run.best)
  local parts = { 'MaxCode', best and say.times(best) or nil }
  if run.status == 'running' then
    parts[#parts + 1] = run.done > 0 and ('%d/%d'):format(run.done, run.budget) or run.phase ~= '' and run.phase or 'starting'
  elseif run.status == 'improved' and not run.applied and not run.discarded then
    parts[#parts + 1] = 'ready'
  else
    return ''
  end
  return table.concat(parts, ' ')
end

--- `$/progress` of a run.
function M.progress(params)
  local value = type(params) == 'table' and params.value
  if not options.now.progress or type(value) ~= 'table' or not tostring(params.token):find('^maxcode%-') then return end
  if value.kind == 'end' then return say.passing('') end
  local said = type(value.message) == 'string' and value.message or value.title or ''
  say.passing('MaxCode: ' .. said)
end

--- A run in one line of a list.
---@param run table RunInfo
---@return string
function M.line(run)
  local day, minute = run.created:match('^(%d+%-%d+%-%d+)T(%d+:%d+)')
  local best = say.number(run.best)
  local outcome = say.gain(run) or run.status:gsub('_', ' ') .. (best and (', best ' .. say.times(best)) or '')
  local after = run.applied and ', applied' or run.discarded and ', discarded' or ''
  return ('%s  %s  %s%s'):format(day and day .. ' ' .. minute or run.run, run.target, outcome, after)
end

return M
