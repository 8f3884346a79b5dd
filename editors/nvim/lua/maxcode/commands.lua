-- :MaxCode and its words.
local M = {}

local lsp = require('maxcode.client')
local say = require('maxcode.say')

local function warn(sentence) say.sentence(sentence, vim.log.levels.WARN) end

local function here(bufnr) return vim.uri_from_bufnr(bufnr) end

--- The run that a command is about: that of a comparison, else the newest of the buffer, which the server tells; nil: there is
--- none.
local function with_run(client, bufnr, shown, act)
  local which = shown and { run = shown } or { uri = here(bufnr), limit = 1 }
  lsp.request(client, 'maxcode/runs', which, function(known) act(known.runs[1]) end)
end

local function no_run(bufnr)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')
  say.sentence(('there is no run of “%s” yet. Start one with :MaxCode optimize.'):format(name))
end

local ACTS = {}

function ACTS.optimize(client, bufnr, words, choosing)
  local optimize = require('maxcode.optimize')
  local settings, wrong = optimize.settings(words)
  if not settings then
    local how = 'Write effort=low, search=beam, model=local or budget=16.'
    return warn(('“%s” is no setting, so nothing was started. %s'):format(wrong, how))
  end
  if choosing then return optimize.choose(client, here(bufnr), settings) end
  optimize.start(client, { uri = here(bufnr), settings = settings })
end

function ACTS.stop(client, bufnr, _, _, shown)
  with_run(client, bufnr, shown, function(run)
    if run and run.status == 'running' then return lsp.execute(client, 'maxcode.stop', { run = run.run }) end
    say.sentence('nothing is going on here that could be stopped.')
  end)
end

function ACTS.compare(client, bufnr, _, _, shown)
  with_run(client, bufnr, shown, function(run)
    if not run then return no_run(bufnr) end
    require('maxcode.compare').open(client, { run = run.run })
  end)
end

function ACTS.apply(client, bufnr, _, _, shown)
  with_run(client, bufnr, shown, function(run)
    if not run then return no_run(bufnr) end
    require('maxcode.apply').ask(client, run.run)
  end)
end

function ACTS.explain(client, bufnr, _, _, shown)
  with_run(client, bufnr, shown, function(run)
    lsp.execute(client, 'maxcode.explain', run and { run = run.run } or { uri = here(bufnr) })
  end)
end

function ACTS.runs(client, bufnr, _, all)
  lsp.request(client, 'maxcode/runs', all and vim.empty_dict() or { uri = here(bufnr) }, function(known)
    if #known.runs == 0 then return no_run(bufnr) end
    local options = { prompt = 'MaxCode: compare which run?', kind = 'maxcode', format_item = require('maxcode.runs').line }
    vim.ui.select(known.runs, options, function(run)
      if run then require('maxcode.compare').open(client, { run = run.run }) end
    end)
  end)
end

local function doctor(bufnr)
  local server = require('maxcode.server')
  local name = vim.api.nvim_buf_get_name(bufnr)
  local root = server.root(name ~= '' and name or vim.loop.cwd() .. '/_')
  local words = server.other(root, 'doctor')
  if not words then return warn(server.missing()) end
  vim.cmd('botright new')
  local options = { cwd = root }
  if vim.fn.has('nvim-0.11') == 1 then
    options.term = true
    vim.fn.jobstart(words, options)
  else
    vim.fn.termopen(words, options)
  end
end

--- What is going on in a buffer, or why nothing is.
local function status(client, bufnr)
  lsp.request(client, 'maxcode/status', { uri = here(bufnr) }, function(answer) say.sentence(answer.reason) end)
end

local function not_served(bufnr)
  if not vim.tbl_contains(lsp.FILETYPES, vim.bo[bufnr].filetype) then
    return warn('this is no C or C++ program. Open one, then type this again.')
  end
  if vim.api.nvim_buf_get_name(bufnr) == '' then
    return warn('this program is in no file yet, so it cannot be built. Save it first.')
  end
  local server = require('maxcode.server')
  if not server.command(server.root(vim.api.nvim_buf_get_name(bufnr))) then return warn(server.missing()) end
  warn('the server does not serve this buffer. Where it is just starting, wait a second; else :edit starts it again.')
end

---@param words string[] what follows :MaxCode
function M.run(words)
  local bufnr = vim.api.nvim_get_current_buf()
  local what, bang = (words[1] or ''):match('^(%a*)(!?)$')
  if what == 'doctor' then return doctor(bufnr) end
  local act = what == '' and bang == '' and status or ACTS[what]
  if not act then
    return warn(('there is no :MaxCode %s. There are: %s.'):format(words[1], table.concat(M.complete('', 'MaxCode '), ', ')))
  end
  local about = require('maxcode.compare').about(bufnr)
  if about and vim.api.nvim_buf_is_valid(about.origin) then bufnr = about.origin end
  local client = lsp.of(bufnr)
  if not client then return not_served(bufnr) end
  act(client, bufnr, vim.list_slice(words, 2), bang == '!', about and about.run)
end

local WORDS = { 'apply', 'compare', 'doctor', 'explain', 'optimize', 'optimize!', 'runs', 'runs!', 'stop' }
local KEYS = { 'effort=', 'search=', 'model=', 'budget=', 'seconds=', 'flags=' }
local VALUES = { effort = 'efforts', search = 'searches', model = 'models' }
local LIMIT_MS = 500

--- `effort=` with all that it can be, as the server says.
local function values(key)
  local client = VALUES[key] and lsp.of(vim.api.nvim_get_current_buf())
  if not client then return {} end
  local answer
  lsp.request(client, 'maxcode/status', { uri = here(0) }, function(status) answer = status end)
  vim.wait(LIMIT_MS, function() return answer ~= nil end, 10)
  local known = answer and answer[VALUES[key]] or {}
  return vim.tbl_map(function(value) return key .. '=' .. value end, known)
end

---@param lead string the word that is being typed
---@param line string up to the cursor
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line), '%s+')
  local known = WORDS
  if #words > 2 or (#words == 2 and lead == '') then
    local key = lead:match('^(%a+)=')
    known = not words[2]:find('^optimize') and {} or key and values(key) or KEYS
  end
  return vim.tbl_filter(function(word) return vim.startswith(word, lead) end, known)
end

return M
