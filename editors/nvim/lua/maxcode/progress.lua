-- How runs stand: for a statusline, and in the command line while nobody types.
local M = {}

local runs = {} -- newest run of each document, by its path: a URI can be written in several ways

---@param run table a RunInfo
function M.changed(run)
  local path = vim.uri_to_fname(run.uri)
  local known = runs[path]
  if known and run.generation < known.generation then return end
  runs[path] = run
  vim.api.nvim_exec_autocmds('User', { pattern = 'MaxCodeRun', modeline = false })
  pcall(vim.cmd, 'redrawstatus')
end

local function times(speedup)
  local digits = speedup >= 99.95 and 0 or speedup >= 9.995 and 1 or 2
  return string.format('%.' .. digits .. 'f×', speedup)
end
M.times = times

local function number(value) return type(value) == 'number' and value or nil end

--- The newest run of a buffer that this session has heard of.
---@param bufnr integer
function M.of(bufnr)
  if not vim.api.nvim_buf_is_valid(bufnr) then return nil end
  return runs[vim.api.nvim_buf_get_name(bufnr)]
end

---@param bufnr integer
---@return string
function M.status(bufnr)
  local run = M.of(bufnr)
  if not run then return '' end
  local best = number(run.best) and (' ' .. times(run.best)) or ''
  if run.status == 'running' then return 'MaxCode' .. best .. ' ' .. run.done .. '/' .. run.budget end
  if run.status == 'improved' and not run.applied and not run.discarded then return 'MaxCode' .. best .. ' ready' end
  return ''
end

--- Progress in the command line: not while something is typed, and nothing is left there at the end.
function M.echo(params)
  local value = params and params.value
  if not (value and require('maxcode').options.echo and vim.api.nvim_get_mode().mode == 'n') then return end
  if not vim.startswith(tostring(params.token), 'maxcode-') then return end
  local said = value.kind == 'end' and '' or 'MaxCode: ' .. (value.message or value.title or '')
  vim.api.nvim_echo({ { said:sub(1, math.max(0, vim.o.columns - 12)) } }, false, {})
end

return M
