-- What the server sends, by method.
local say = require('maxcode.say')

local LEVELS = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO, vim.log.levels.DEBUG }

--- `&Trust this folder`: each answer with a letter of its own where there is one.
local function buttons(actions)
  local taken, titles = {}, {}
  for _, action in ipairs(actions) do
    local at = 1
    for place in action.title:gmatch('()%a') do
      local letter = action.title:sub(place, place):lower()
      if not taken[letter] then
        taken[letter], at = true, place
        break
      end
    end
    titles[#titles + 1] = action.title:sub(1, at - 1) .. '&' .. action.title:sub(at)
  end
  return table.concat(titles, '\n')
end

local function question(_, params)
  local actions = type(params.actions) == 'table' and params.actions or {}
  if not require('maxcode.optimize').is_starting() then
    -- Nobody waits for it: a question now would take the keys of somebody who types.
    local undo = actions[1] and actions[1].title:find('^Undo') and ' u takes it back.' or ''
    say.sentence(params.message .. undo, LEVELS[params.type])
    return vim.NIL
  end
  local ok, chosen = pcall(vim.fn.confirm, params.message, buttons(actions), #actions, 'Question')
  return ok and actions[chosen] or vim.NIL
end

return {
  ['window/showMessage'] = function(_, params)
    say.sentence(params.message, LEVELS[params.type])
    return vim.NIL
  end,
  ['window/showMessageRequest'] = question,
  ['workspace/codeLens/refresh'] = function(fault, params, context)
    local default = vim.lsp.handlers['workspace/codeLens/refresh'] -- from Neovim 0.12 on
    if default then return default(fault, params, context) end
    require('maxcode.lenses').refresh(context.client_id)
    return vim.NIL
  end,
  ['maxcode/runChanged'] = function(_, run, context) require('maxcode.runs').changed(run, context.client_id) end,
  ['maxcode/compare'] = function(_, which, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then require('maxcode.compare').open(client, which) end
  end,
  ['$/progress'] = function(fault, params, context, config)
    -- The event LspProgress comes from there.
    local default = vim.lsp.handlers['$/progress']
    if default then default(fault, params, context, config) end
    require('maxcode.runs').progress(params)
  end,
}
