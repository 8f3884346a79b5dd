-- Sentences and numbers for people.
local M = {}

local passing = false -- whether the message line shows what only passes by

--- A speedup with three figures, as the server writes it: `2.31×`, `14.2×`, `130×`.
---@param speedup number
---@return string
function M.times(speedup)
  local digits = speedup < 9.995 and 2 or speedup < 99.95 and 1 or 0
  return ('%.' .. digits .. 'f×'):format(speedup)
end

--- A number that the server may have left open (JSON null); nil then.
function M.number(value) return type(value) == 'number' and value or nil end

--- `2.31× faster (95 % CI 2.24–2.39)` of a run that was proven; nil: it was not.
---@param run table RunInfo
---@return string?
function M.gain(run)
  local best, ci95 = M.number(run.best), run.ci95
  if run.status ~= 'improved' or not best or type(ci95) ~= 'table' then return nil end
  local low, high = M.times(ci95[1]):gsub('×', ''), M.times(ci95[2]):gsub('×', '')
  return ('%s faster (95 %% CI %s–%s)'):format(M.times(best), low, high)
end

--- One message that stays in :messages.
---@param text string
---@param level? integer of vim.log.levels
function M.sentence(text, level)
  passing = false
  if not vim.startswith(text, 'MaxCode') then text = 'MaxCode: ' .. text end
  vim.notify(text, level or vim.log.levels.INFO, { title = 'MaxCode' })
end

local function fitting(text)
  -- One cell too many, and Neovim asks for Enter.
  local room = vim.v.echospace
  if vim.fn.strdisplaywidth(text) <= room then return text end
  while text ~= '' and vim.fn.strdisplaywidth(text) > room - 1 do
    text = vim.fn.strcharpart(text, 0, vim.fn.strchars(text) - 1)
  end
  return text .. '…'
end

--- What passes by in the message line, only while nobody types; empty: what passed is gone.
---@param text string
function M.passing(text)
  if vim.api.nvim_get_mode().mode ~= 'n' or (text == '' and not passing) then return end
  vim.api.nvim_echo({ { fitting(text) } }, false, {})
  passing = text ~= ''
end

return M
