-- A version beside the buffer that it is about, as a diff.
local M = {}

local say = require('maxcode.say')

local SPACE = vim.api.nvim_create_namespace('maxcode')
local HAS_WINBAR, HAS_MARGIN = vim.fn.exists('+winbar') == 1, vim.fn.exists('+statuscolumn') == 1

--- What is proven is said so, and what is not.
local function title(run, which)
  local gain = type(which.candidate) ~= 'string' and say.gain(run)
  if gain then return 'MaxCode: ' .. gain end
  local best = say.number(run.best)
  for _, candidate in ipairs(type(run.candidates) == 'table' and run.candidates or {}) do
    if candidate.candidate == which.candidate then best = say.number(candidate.speedup) end
  end
  return ('MaxCode: %snot confirmed'):format(best and ('≈ %s, '):format(say.times(best)) or '')
end

--- Above a window where Neovim can, else in its status line; `hint` is cut first. Returns how to take it back.
local function entitle(window, said, hint)
  local option = HAS_WINBAR and 'winbar' or 'statusline'
  local before = vim.wo[window][option]
  vim.wo[window][option] = ' ' .. said:gsub('%%', '%%%%') .. '%<' .. (hint or '')
  return function()
    if vim.api.nvim_win_is_valid(window) then vim.wo[window][option] = before end
  end
end

local function scratch(name, text, filetype)
  local bufnr = vim.fn.bufadd(name)
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buftype, vim.bo[bufnr].bufhidden, vim.bo[bufnr].swapfile = 'nofile', 'wipe', false
  vim.bo[bufnr].readonly, vim.bo[bufnr].modifiable = false, true
  local lines = vim.split(text, '\n', { plain = true })
  if lines[#lines] == '' then lines[#lines] = nil end
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modified, vim.bo[bufnr].modifiable, vim.bo[bufnr].readonly = false, false, true
  vim.bo[bufnr].filetype = filetype
  return bufnr
end

--- Folds, signs and numbers as ever, and left of them what each change is worth, where its first line is; `worth` by line.
local function margin(window, worth)
  local width = 0
  for _, said in pairs(worth) do
    width = math.max(width, vim.fn.strdisplaywidth(said) + 1)
  end
  -- v:virtnum: of a line that goes on below, and of one that only fills up, there is nothing to say.
  local here = ("%%-%d{v:virtnum ? '' : get(b:maxcode.worth, v:lnum, '')}"):format(width)
  vim.wo[window].statuscolumn = '%#DiagnosticInfo#' .. here .. "%*%C%s%=%{&number && !v:virtnum ? v:lnum : ''} "
end

--- What each change is worth, before and behind it; why it is there, with K.
local function label(bufnr, window, about, hunks)
  local last = vim.api.nvim_buf_line_count(bufnr) - 1
  for _, hunk in ipairs(hunks) do
    local line, said = math.min(hunk.line, last), '  ' .. hunk.label:gsub('^MaxCode: ', '')
    vim.api.nvim_buf_set_extmark(bufnr, SPACE, line, 0, { virt_text = { { said, 'DiagnosticInfo' } } })
    local worth = say.number(hunk.worth)
    if worth then about.worth[tostring(line + 1)] = say.times(worth) end
  end
  vim.api.nvim_buf_set_var(bufnr, 'maxcode', about)
  if HAS_MARGIN and next(about.worth) then margin(window, about.worth) end
  vim.keymap.set('n', 'K', function()
    local line = vim.fn.line('.') - 1
    for _, hunk in ipairs(hunks) do
      if line >= hunk.line and line < hunk.line + math.max(1, hunk.lines) then
        return vim.lsp.util.open_floating_preview({ hunk.label, '', hunk.why }, 'markdown', { wrap_at = 80 })
      end
    end
  end, { buffer = bufnr, desc = 'MaxCode: why this change is there' })
end

--- A window with the buffer that a version is about: this tab's, else one in a new tab.
local function window_of(uri)
  local bufnr = vim.uri_to_bufnr(uri)
  local window = vim.fn.bufwinid(bufnr)
  if window ~= -1 then return window end
  vim.cmd('tab sbuffer ' .. bufnr)
  vim.bo[bufnr].buflisted = true
  return vim.api.nvim_get_current_win()
end

local function show(run, which, version)
  M.close(run.run)
  local window = window_of(version.uri)
  vim.api.nvim_set_current_win(window)
  local origin = vim.api.nvim_win_get_buf(window)
  local file = vim.fn.fnamemodify(vim.uri_to_fname(version.uri), ':t')
  local candidate = type(version.candidate) == 'string' and version.candidate or 'result'
  local name = ('maxcode://%s/%s/%s'):format(run.run, candidate, file)
  local text = vim.bo[origin].fileformat == 'dos' and version.text:gsub('\r\n', '\n') or version.text
  local bufnr = scratch(name, text, vim.bo[origin].filetype)
  local untitle = HAS_WINBAR and entitle(window, ('“%s”, as it is here'):format(run.target)) or function() end
  -- As :diffsplit does it, which takes only files.
  vim.cmd('rightbelow vertical sbuffer ' .. bufnr)
  local beside = vim.api.nvim_get_current_win()
  entitle(beside, title(run, which), '  ·  q closes')
  for _, each in ipairs({ window, beside }) do
    vim.api.nvim_win_call(each, function() vim.cmd('diffthis') end)
  end
  local about = { run = run.run, origin = origin, worth = vim.empty_dict() }
  label(bufnr, beside, about, type(version.hunks) == 'table' and version.hunks or {})
  vim.keymap.set('n', 'q', function() vim.api.nvim_buf_delete(bufnr, { force = true }) end, {
    buffer = bufnr,
    desc = 'MaxCode: close the comparison',
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    once = true,
    callback = function()
      untitle()
      if vim.api.nvim_win_is_valid(window) then vim.api.nvim_win_call(window, function() vim.cmd('diffoff') end) end
    end,
  })
  pcall(vim.cmd, 'normal! gg]c')
end

--- Show a version; without a candidate the result, else the best so far.
---@param client table
---@param which table CompareArguments
function M.open(client, which)
  local lsp = require('maxcode.client')
  local candidate = type(which.candidate) == 'string' and which.candidate or nil
  lsp.request(client, 'maxcode/runs', { run = which.run }, function(known)
    local run = known.runs[1]
    local asked = { run = which.run, candidate = candidate, result = candidate == nil }
    lsp.request(client, 'maxcode/candidate', asked, function(version) show(run, which, version) end)
  end)
end

--- What a comparison is about: its run and the buffer beside it; nil: the buffer is none.
---@param bufnr integer
---@return table?
function M.about(bufnr)
  local ok, about = pcall(vim.api.nvim_buf_get_var, bufnr, 'maxcode')
  return ok and about or nil
end

--- Close the comparisons of a run.
---@param run string its id
function M.close(run)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local about = M.about(bufnr)
    if about and about.run == run then vim.api.nvim_buf_delete(bufnr, { force = true }) end
  end
end

return M
