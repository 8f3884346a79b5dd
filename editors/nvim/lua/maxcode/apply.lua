-- Asking before a result is put into its buffer: Neovim itself makes such edits at once.
local M = {}

local say = require('maxcode.say')

local YES, COMPARE = 1, 3

--- What will be changed, and what that is worth.
---@param run table RunInfo
---@param version table CandidateText
---@return string
function M.question(run, version)
  local hunks = type(version.hunks) == 'table' and version.hunks or {}
  local lines = { ('“%s” becomes %s.'):format(run.target, say.gain(run) or 'faster'), '' }
  for _, hunk in ipairs(hunks) do
    lines[#lines + 1] = ('  line %d: %s'):format(hunk.line + 1, (hunk.label:gsub('^MaxCode: ', '')))
  end
  if #hunks > 0 then lines[#lines + 1] = '' end
  lines[#lines + 1] = #hunks == 1 and 'Apply this change?' or ('Apply these %d changes?'):format(#hunks)
  return table.concat(lines, '\n')
end

local function answered(client, run, version)
  -- Esc is no; so is Ctrl-C, which is an error in some versions.
  local ok, choice = pcall(vim.fn.confirm, M.question(run, version), '&Yes\n&No\n&Compare first', 2, 'Question')
  if not ok then return end
  local lsp = require('maxcode.client')
  if choice == YES then
    lsp.execute(client, 'maxcode.apply', { run = run.run }, function(answer)
      if type(answer) == 'table' and answer.applied then require('maxcode.compare').close(run.run) end
    end)
  elseif choice == COMPARE then
    require('maxcode.compare').open(client, { run = run.run })
  end
end

--- Ask, then put the result of a run into its buffer, where the answer is yes.
---@param client table
---@param id string of the run
function M.ask(client, id)
  local lsp = require('maxcode.client')
  lsp.request(client, 'maxcode/runs', { run = id }, function(known)
    local run = known.runs[1]
    if run.status == 'running' then
      say.sentence(('“%s” is still being optimised. Wait for its end, or end it with :MaxCode stop.'):format(run.target))
    elseif run.applied then
      say.sentence(('the faster version of “%s” is in the buffer already. u takes it back.'):format(run.target))
    elseif run.status ~= 'improved' then
      say.sentence(('there is no faster version of “%s” to apply. %s'):format(run.target, run.reason))
    else
      lsp.request(client, 'maxcode/candidate', { run = id, result = true }, function(version) answered(client, run, version) end)
    end
  end)
end

return M
