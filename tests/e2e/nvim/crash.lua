-- The server is killed in the middle of a run.
local S = dofile(os.getenv('MAXCODE_STAGE'))

local function children()
  local me = vim.fn.getpid()
  local file = assert(io.open(('/proc/%d/task/%d/children'):format(me, me)))
  local pids = vim.split(vim.trim(file:read('*a')), ' ')
  file:close()
  return pids
end

S.play(function() S.begin({ cmd = S.server, trusted = true }) end, function()
  local bufnr = S.open()
  local client = S.client(bufnr)
  vim.cmd('MaxCode optimize')
  S.wait('a run in the statusline', function() return require('maxcode').status() ~= '' end)
  for _, pid in ipairs(children()) do
    vim.loop.kill(tonumber(pid), 'sigkill')
  end
  S.wait('that it ended', function() return S.was_said('the server ended by itself. :edit starts it again') end)
  assert(require('maxcode').status() == '', require('maxcode').status())
  vim.cmd('MaxCode stop')
  assert(S.was_said('the server does not serve this buffer.'), vim.inspect(S.messages))

  vim.cmd('edit')
  local another = S.client(bufnr)
  assert(another.id ~= client.id)
  vim.cmd('MaxCode optimize')
  S.wait('another run in the statusline', function() return require('maxcode').status() ~= '' end)
  vim.cmd('MaxCode stop')
  S.wait('its end', function() return S.latest(another, bufnr).status == 'cancelled' end)
  S.quit_clients()
end)
