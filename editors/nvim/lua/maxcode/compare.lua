-- A version beside the buffer that it is about, as a diff.
local M = {}

local SPACE = vim.api.nvim_create_namespace('maxcode')

local function title(run, version)
  local times = require('maxcode.progress').times
  if version.candidate and run.status == 'improved' and type(run.ci95) == 'table' and type(run.best) == 'number' then
    local low, high = times(run.ci95[1]):gsub('×', ''), times(run.ci95[2]):gsub('×', '')
    return string.format('MaxCode: %s %s faster (95 %% CI %s–%s)', run.target, times(run.best), low, high)
  end
  local best = type(run.best) == 'number' and ('≈ ' .. times(run.best) .. ', not confirmed') or 'best so far'
  return 'MaxCode: ' .. run.target .. ' ' .. best
end

local function shown(uri)
  local bufnr = vim.uri_to_bufnr(uri)
  vim.fn.bufload(bufnr)
  local window = vim.fn.bufwinid(bufnr)
  if window == -1 then
    vim.api.nvim_win_set_buf(0, bufnr)
    window = vim.api.nvim_get_current_win()
  end
  return window
end

local function set(scope, name, value) vim.api.nvim_set_option_value(name, value, scope) end
if not vim.api.nvim_set_option_value or vim.fn.has('nvim-0.8') == 0 then
  set = function(scope, name, value)
    if scope.buf then vim.bo[scope.buf][name] = value else vim.wo[scope.win][name] = value end
  end
end

local function split(run, version)
  local window = shown(version.uri)
  vim.api.nvim_set_current_win(window)
  local origin = vim.api.nvim_win_get_buf(window)
  local scratch = vim.api.nvim_create_buf(false, true)
  pcall(vim.api.nvim_buf_set_name, scratch, ('maxcode://%s/%s/%s'):format(run.run, version.candidate or 'best', vim.fn.fnamemodify(vim.api.nvim_buf_get_name(origin), ':t')))
  local lines = vim.split(version.text:gsub('\r\n', '\n'), '\n', { plain = true })
  if lines[#lines] == '' then lines[#lines] = nil end
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, lines)
  for option, value in pairs({ modifiable = false, bufhidden = 'wipe', syntax = vim.bo[origin].filetype }) do
    set({ buf = scratch }, option, value)
  end
  for _, hunk in ipairs(version.hunks or {}) do
    local line = math.min(hunk.line, #lines - 1)
    vim.api.nvim_buf_set_extmark(scratch, SPACE, line, 0, { virt_text = { { '  ' .. hunk.label:gsub('^MaxCode: ', ''), 'Comment' } } })
  end
  vim.cmd('rightbelow vertical sbuffer ' .. scratch)
  local beside = vim.api.nvim_get_current_win()
  vim.cmd('diffthis')
  local said = title(run, version):gsub('%%', '%%%%')
  if vim.fn.exists('+winbar') == 1 then set({ win = beside, scope = 'local' }, 'winbar', said) else set({ win = beside }, 'statusline', said) end
  vim.api.nvim_set_current_win(window)
  vim.cmd('diffthis')
  vim.api.nvim_set_current_win(beside)
  vim.keymap.set('n', 'q', function()
    if vim.api.nvim_win_is_valid(window) then vim.api.nvim_win_call(window, function() vim.cmd('diffoff') end) end
    vim.api.nvim_buf_delete(scratch, { force = true })
  end, { buffer = scratch, desc = 'Close the comparison' })
end

--- Show a version; without a candidate the result, else the best so far.
---@param which table CompareArguments
function M.open(which)
  local lsp = require('maxcode.client')
  local client = lsp.clients()[1]
  if not client then return end
  local candidate = type(which.candidate) == 'string' and which.candidate or nil
  lsp.request(client, 'maxcode/runs', { run = which.run }, function(answer)
    local params = candidate and { run = which.run, candidate = candidate } or { run = which.run, result = true }
    lsp.request(client, 'maxcode/candidate', params, function(version)
      vim.schedule(function() split(answer.runs[1], version) end)
    end)
  end)
end

return M
