-- Starting a run, as set, with settings of its own, or picked.
local M = {}

local say = require('maxcode.say')

local starting = 0 -- starts that wait for their answer, which may need one of the user's

--- Whether somebody waits for a start, so that a question does not come out of the blue.
function M.is_starting() return starting > 0 end

--- Begin a run in the background.
---@param client table
---@param arguments table StartArguments
function M.start(client, arguments)
  local over = function() starting = starting - 1 end
  starting = starting + 1
  -- Where nothing was started, the server has said why.
  require('maxcode.client').execute(client, 'maxcode.start', arguments, over, over)
end

--- `effort=high budget=16` as settings; nil and what is wrong where a word is no setting.
---@param words string[]
---@return table?
---@return string? wrong
function M.settings(words)
  local settings = vim.empty_dict()
  for _, word in ipairs(words) do
    local key, value = word:match('^([%a_][%w_.]*)=(.+)$')
    if not key then return nil, word end
    if value == 'true' or value == 'false' then settings[key] = value == 'true' else settings[key] = tonumber(value) or value end
  end
  return settings
end

local AS_SET = 'as set'
local QUESTIONS = {
  { key = 'effort', values = 'efforts', ask = 'How hard should MaxCode try?' },
  { key = 'search', values = 'searches', ask = 'How should it search?' },
  { key = 'model', values = 'models', ask = 'Which language model should propose, besides the rules?' },
}

--- Ask for effort, strategy and model of this run, then start it. To leave a question starts nothing.
---@param client table
---@param uri string
---@param settings table what was said already
function M.choose(client, uri, settings)
  local function ask(status, at)
    local question = QUESTIONS[at]
    if not question then return M.start(client, { uri = uri, settings = settings }) end
    local values = status[question.values]
    if settings[question.key] ~= nil or type(values) ~= 'table' or #values < 2 then return ask(status, at + 1) end
    vim.ui.select(vim.list_extend({ AS_SET }, values), { prompt = question.ask, kind = 'maxcode' }, function(chosen)
      if not chosen then return say.sentence('nothing was started, because nothing was chosen.') end
      if chosen ~= AS_SET then settings[question.key] = chosen end
      ask(status, at + 1)
    end)
  end
  require('maxcode.client').request(client, 'maxcode/status', { uri = uri }, function(status) ask(status, 1) end)
end

return M
