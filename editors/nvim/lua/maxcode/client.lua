-- The client of the server, for each version of Neovim.
local M = {}

M.NAME = 'maxcode'
M.FILETYPES = { 'c', 'cpp', 'cuda' }

local server = require('maxcode.server')

local function capabilities()
  local can = vim.lsp.protocol.make_client_capabilities()
  can.workspace = can.workspace or {}
  can.workspace.codeLens = { refreshSupport = true }
  -- Neovim makes an edit without asking; as a command, “Apply” comes to us first (see commands.lua).
  if can.textDocument and can.textDocument.codeAction then can.textDocument.codeAction.dataSupport = false end
  return can
end

local function refresh_lenses(bufnr)
  if not require('maxcode').options.lens then return end
  if vim.fn.has('nvim-0.10') == 1 then
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  elseif bufnr == nil or bufnr == vim.api.nvim_get_current_buf() then
    vim.lsp.codelens.refresh()
  end
end

local function handlers()
  local progress = require('maxcode.progress')
  return {
    ['workspace/codeLens/refresh'] = function()
      for _, bufnr in ipairs(M.buffers()) do
        refresh_lenses(bufnr)
      end
      return vim.NIL
    end,
    ['maxcode/runChanged'] = function(_, run) progress.changed(run) end,
    ['maxcode/compare'] = function(_, which) require('maxcode.compare').open(which) end,
    ['$/progress'] = function(fault, params, context, config)
      local default = vim.lsp.handlers['$/progress']
      if default then default(fault, params, context, config) end
      progress.echo(params)
    end,
  }
end

local function attached(client, bufnr)
  local group = vim.api.nvim_create_augroup('maxcode-' .. bufnr, { clear = true })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    group = group,
    buffer = bufnr,
    callback = function() refresh_lenses(bufnr) end,
  })
  refresh_lenses(bufnr)
  local also = require('maxcode').options.on_attach
  if also then also(client, bufnr) end
end

--- The configuration of the client. `cmd` and `root_dir` are functions where Neovim takes them: the server is looked for when a
--- buffer needs it.
function M.config()
  local options = require('maxcode').options
  return {
    name = M.NAME,
    cmd = function(dispatchers) return vim.lsp.rpc.start(server.command(vim.api.nvim_buf_get_name(0)) or { 'maxcode', 'lsp' }, dispatchers) end,
    filetypes = M.FILETYPES,
    root_dir = function(bufnr, found)
      local file = vim.api.nvim_buf_get_name(bufnr)
      if vim.bo[bufnr].buftype ~= '' or file == '' then return end
      if server.command(file) then found(server.root(file)) else server.tell_missing() end
    end,
    init_options = { runChanged = true, comparing = true, trusted = options.trusted, settings = options.settings },
    capabilities = capabilities(),
    handlers = handlers(),
    on_attach = attached,
  }
end

local function start_for(bufnr)
  local file = vim.api.nvim_buf_get_name(bufnr)
  if vim.bo[bufnr].buftype ~= '' or file == '' then return end
  local command = server.command(file)
  if not command then return server.tell_missing() end
  local config = M.config()
  config.cmd, config.root_dir, config.filetypes = command, server.root(file), nil
  config.get_language_id = function(_, filetype) return filetype end
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = bufnr })
    return
  end
  for _, client in ipairs(M.clients()) do
    if client.config.root_dir == config.root_dir then return vim.lsp.buf_attach_client(bufnr, client.id) end
  end
  vim.lsp.buf_attach_client(bufnr, vim.lsp.start_client(config))
end

--- Serve buffers of our file types, those that are open, too.
function M.enable()
  vim.lsp.commands['maxcode.apply'] = function(command) require('maxcode.commands').ask_and_apply(command.arguments[1].run) end
  if vim.fn.has('nvim-0.11') == 1 then
    vim.lsp.config(M.NAME, M.config())
    vim.lsp.enable(M.NAME)
    return
  end
  local group = vim.api.nvim_create_augroup('maxcode', { clear = true })
  vim.api.nvim_create_autocmd('FileType', { group = group, pattern = M.FILETYPES, callback = function(event) start_for(event.buf) end })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.tbl_contains(M.FILETYPES, vim.bo[bufnr].filetype) then start_for(bufnr) end
  end
end

--- All clients of ours.
function M.clients()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return vim.tbl_filter(function(client) return client.name == M.NAME end, get())
end

--- Buffers that one of them serves.
function M.buffers()
  local found = {}
  for _, client in ipairs(M.clients()) do
    for bufnr, is in pairs(client.attached_buffers or {}) do
      if is then found[#found + 1] = bufnr end
    end
  end
  return found
end

--- The client of a buffer; says so where there is none.
---@param bufnr integer
function M.of(bufnr)
  for _, client in ipairs(M.clients()) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then return client end
  end
  return nil
end

--- Ask the server; `answered` gets the result, and is not called where the server says no, which is told.
function M.request(client, method, params, answered)
  local function done(fault, result)
    if fault then return vim.notify('MaxCode: ' .. (fault.message or tostring(fault)), vim.log.levels.WARN) end
    if answered then answered(result) end
  end
  local bufnr = next(client.attached_buffers or {}) or 0
  if vim.fn.has('nvim-0.11') == 1 then client:request(method, params, done, bufnr) else client.request(method, params, done, bufnr) end
end

--- Execute a command of the server.
function M.execute(client, command, argument, answered)
  M.request(client, 'workspace/executeCommand', { command = command, arguments = { argument } }, answered)
end

return M
