-- The client of the server, in each version of Neovim.
local M = {}

local options = require('maxcode.options')
local say = require('maxcode.say')
local server = require('maxcode.server')

M.NAME = 'maxcode'
M.FILETYPES = { 'c', 'cpp', 'cuda' }

local NATIVE = vim.fn.has('nvim-0.11') == 1
local begun = {} -- ids by root, before Neovim 0.11, which lists no client before it is initialised
local asked_for -- root of the buffer that a client is being started for

--- Whether a buffer is a file that can be served.
local function is_file(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  return vim.bo[bufnr].buftype == '' and name ~= '' and not name:match('^%a[%w+.-]*://')
end

--- Commands that come to us first: Neovim makes edits without asking, and a start may bring a question.
local function commands()
  return {
    ['maxcode.apply'] = function(command, context)
      require('maxcode.apply').ask(vim.lsp.get_client_by_id(context.client_id), command.arguments[1].run)
    end,
    ['maxcode.start'] = function(command, context)
      require('maxcode.optimize').start(vim.lsp.get_client_by_id(context.client_id), command.arguments[1])
    end,
    -- Of a lens that only says something.
    [''] = function() end,
  }
end

local function exited(code, signal, id)
  vim.schedule(function()
    require('maxcode.runs').lost(id)
    say.passing('')
    local ended_well = code == 0 and (signal == 0 or signal == 15)
    if not ended_well and vim.v.exiting == vim.NIL then
      say.sentence('the server ended by itself. :edit starts it again; ' .. server.LOG, vim.log.levels.WARN)
    end
  end)
end

local function init_options()
  return { runChanged = true, comparing = true, trusted = options.now.trusted, settings = options.now.settings }
end

--- The configuration of the client, as `vim.lsp.config()` takes it.
function M.config()
  return {
    cmd = function(dispatchers, config)
      local root = config and config.root_dir or asked_for
      return vim.lsp.rpc.start(server.command(root) or { 'maxcode', 'lsp' }, dispatchers)
    end,
    filetypes = M.FILETYPES,
    root_markers = server.MARKERS,
    root_dir = function(bufnr, found)
      if not is_file(bufnr) then return end
      asked_for = server.root(vim.api.nvim_buf_get_name(bufnr))
      if server.command(asked_for) then found(asked_for) else server.tell_missing() end
    end,
    init_options = init_options(),
    capabilities = {
      workspace = { codeLens = { refreshSupport = true } },
      -- So that *Apply* is a command, which we ask about, and no edit, which Neovim makes at once.
      textDocument = { codeAction = { dataSupport = false } },
    },
    handlers = require('maxcode.handlers'),
    commands = commands(),
    on_exit = exited,
  }
end

--- Neovim before 0.11: a client for each root, begun with the first buffer that needs it.
local function begin(bufnr)
  if not is_file(bufnr) then return end
  local root = server.root(vim.api.nvim_buf_get_name(bufnr))
  local known = begun[root or ''] and vim.lsp.get_client_by_id(begun[root or ''])
  if known and not known.is_stopped() then return vim.lsp.buf_attach_client(bufnr, known.id) end
  local command = server.command(root)
  if not command then return server.tell_missing() end
  local config = M.config()
  config.name, config.cmd, config.root_dir = M.NAME, command, root
  config.capabilities = vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), config.capabilities)
  if vim.fn.exists('##LspAttach') == 0 then config.on_attach = require('maxcode.lenses').attached end
  local id = vim.lsp.start_client(config)
  begun[root or ''] = id
  if id then vim.lsp.buf_attach_client(bufnr, id) end
end

--- Serve buffers of our file types, those that are open already, too.
function M.enable()
  if NATIVE then
    if options.given then vim.lsp.config(M.NAME, { init_options = init_options() }) end
    vim.lsp.enable(M.NAME)
    return
  end
  local group = vim.api.nvim_create_augroup('maxcode', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = M.FILETYPES,
    callback = function(event) begin(event.buf) end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.tbl_contains(M.FILETYPES, vim.bo[bufnr].filetype) then begin(bufnr) end
  end
end

--- Clients of ours, those that are still being started only where Neovim lists them.
---@return table[]
function M.all()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return vim.tbl_filter(function(client) return client.name == M.NAME end, get())
end

--- The client that serves a buffer.
---@param bufnr integer
---@return table?
function M.of(bufnr)
  for _, client in ipairs(M.all()) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then return client end
  end
  return nil
end

--- Ask the server. `answered` gets the result; where the server says no, that is told, and `failed` is called.
---@param client table
---@param answered? fun(result: any)
---@param failed? fun()
function M.request(client, method, params, answered, failed)
  local function done(fault, result)
    if fault then
      if failed then failed() end
      say.sentence(type(fault) == 'table' and fault.message or tostring(fault), vim.log.levels.WARN)
    elseif answered then
      answered(result)
    end
  end
  local sent
  if NATIVE then sent = client:request(method, params, done, 0) else sent = client.request(method, params, done, 0) end
  if not sent then
    if failed then failed() end
    say.sentence('the server is gone, so nothing was done. :edit starts it again.', vim.log.levels.WARN)
  end
end

--- Execute a command of the server.
---@param argument table
function M.execute(client, command, argument, answered, failed)
  M.request(client, 'workspace/executeCommand', { command = command, arguments = { argument } }, answered, failed)
end

return M
