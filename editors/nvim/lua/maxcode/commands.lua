-- :MaxCode and what it does.
local M = {}

local lsp = require('maxcode.client')

local function say(sentence) vim.notify('MaxCode: ' .. sentence, vim.log.levels.INFO) end

--- The newest run of a buffer, from the server; says so where there is none.
local function with_run(client, bufnr, act)
  lsp.request(client, 'maxcode/runs', { uri = vim.uri_from_bufnr(bufnr), limit = 1 }, function(answer)
    local run = answer.runs[1]
    if run then act(run) else say('there is no run of this file yet. Use :MaxCode optimize first.') end
  end)
end

local function optimize(client, bufnr, words)
  local settings = {}
  for _, word in ipairs(words) do
    local key, value = word:match('^([%w_.]+)=(.*)$')
    if not key then return say('“' .. word .. '” is no setting; write effort=low, search=beam, model=local or budget=16.') end
    settings[key] = tonumber(value) or value
  end
  if not next(settings) then settings = vim.empty_dict() end
  lsp.execute(client, 'maxcode.start', { uri = vim.uri_from_bufnr(bufnr), settings = settings })
end

--- Ask, as Neovim itself does not, then put the result into its buffer.
---@param id string of the run
function M.ask_and_apply(id)
  local client = lsp.clients()[1]
  if not client then return end
  lsp.request(client, 'maxcode/runs', { run = id }, function(answer)
    lsp.request(client, 'maxcode/candidate', { run = id, result = true }, function(version)
      vim.schedule(function()
        local run = answer.runs[1]
        local lines = { run.reason ~= '' and run.reason or run.target, '' }
        for _, hunk in ipairs(version.hunks or {}) do
          lines[#lines + 1] = ('line %d: %s'):format(hunk.line + 1, (hunk.label:gsub('^MaxCode: ', '')))
        end
        lines[#lines + 1] = ''
        lines[#lines + 1] = ('Apply %d change%s?'):format(#version.hunks, #version.hunks == 1 and '' or 's')
        if vim.fn.confirm(table.concat(lines, '\n'), '&Yes\n&No', 2, 'Question') == 1 then
          lsp.execute(client, 'maxcode.apply', { run = id })
        end
      end)
    end)
  end)
end

local function runs(client)
  lsp.request(client, 'maxcode/runs', vim.empty_dict(), function(answer)
    vim.schedule(function()
      if #answer.runs == 0 then return say('there are no runs yet.') end
      local function line(run)
        local best = type(run.best) == 'number' and ('  ' .. require('maxcode.progress').times(run.best)) or ''
        return ('%s  %s  %s%s'):format(run.created:gsub('[TZ]', ' '), run.target, (run.status:gsub('_', ' ')), best)
      end
      vim.ui.select(answer.runs, { prompt = 'MaxCode runs', format_item = line }, function(run)
        if run then lsp.execute(client, 'maxcode.compare', { run = run.run }) end
      end)
    end)
  end)
end

local function doctor(bufnr)
  local command = require('maxcode.server').command(vim.api.nvim_buf_get_name(bufnr))
  if not command then return require('maxcode.server').tell_missing() end
  vim.cmd('botright new')
  local words = { command[1] }
  -- `cmd` may be `python -m maxcode_lsp lsp`.
  for at = 2, #command - 1 do
    words[at] = command[at]
  end
  words[#words + 1] = 'doctor'
  vim.fn.termopen(words)
end

local ACTS = {
  optimize = optimize,
  stop = function(client, bufnr) with_run(client, bufnr, function(run) lsp.execute(client, 'maxcode.stop', { run = run.run }) end) end,
  compare = function(client, bufnr) with_run(client, bufnr, function(run) lsp.execute(client, 'maxcode.compare', { run = run.run }) end) end,
  apply = function(client, bufnr)
    with_run(client, bufnr, function(run)
      if run.status == 'improved' then M.ask_and_apply(run.run) else say('there is no faster version of “' .. run.target .. '” to apply. ' .. (run.reason or '')) end
    end)
  end,
  explain = function(client, bufnr)
    lsp.request(client, 'maxcode/runs', { uri = vim.uri_from_bufnr(bufnr), limit = 1 }, function(answer)
      local run = answer.runs[1]
      lsp.execute(client, 'maxcode.explain', run and { run = run.run } or { uri = vim.uri_from_bufnr(bufnr) })
    end)
  end,
  runs = function(client) runs(client) end,
}

---@param given table of nvim_create_user_command
function M.run(given)
  local words = vim.deepcopy(given.fargs)
  local what = table.remove(words, 1)
  local bufnr = vim.api.nvim_get_current_buf()
  if what == 'doctor' then return doctor(bufnr) end
  local act = ACTS[what]
  if not act then return say('there is no “' .. tostring(what) .. '”: ' .. table.concat(M.complete('', 'MaxCode '), ', ') .. '.') end
  local client = lsp.of(bufnr)
  if client then return act(client, bufnr, words) end
  local wanted = vim.tbl_contains(lsp.FILETYPES, vim.bo[bufnr].filetype)
  say(wanted and 'the server is not running for this buffer. :checkhealth maxcode says why.' or 'open a C or C++ program first.')
end

function M.complete(lead, line)
  local words = vim.split(line, '%s+')
  local known = { 'apply', 'compare', 'doctor', 'explain', 'optimize', 'runs', 'stop' }
  if #words > 2 then known = words[2] == 'optimize' and { 'effort=low', 'effort=medium', 'effort=high', 'search=', 'model=', 'budget=', 'seconds=' } or {} end
  return vim.tbl_filter(function(word) return vim.startswith(word, lead) end, known)
end

return M
