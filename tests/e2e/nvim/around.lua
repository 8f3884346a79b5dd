-- What is around the story: status, health, help, doctor, a CUDA file, a buffer that is no program.
local S = dofile(os.getenv('MAXCODE_STAGE'))
local wait, was_said, text = S.wait, S.was_said, S.text

S.play(function() S.begin({ cmd = S.server, nonsense = 1, lens = 'yes' }) end, function()
  assert(was_said('the option “nonsense” of setup() is ignored') and was_said('“lens” of setup() is ignored'), vim.inspect(S.messages))
  local bufnr = S.open()
  S.client(bufnr)
  vim.cmd('MaxCode')
  wait('the state', function() return was_said('Ready: choose “Optimize” to start.') end)

  vim.cmd('checkhealth maxcode')
  local health = text()
  S.say(health)
  local expected = { 'Neovim 0.', 'Server: maxcode ', 'from: configuration', 'Compiler: /', 'slow.cpp: Ready', 'nobody has said' }
  for _, words in ipairs(expected) do
    assert(health:find(words, 1, true), words)
  end
  assert(not health:find('ERROR', 1, true), 'nothing is wrong')
  vim.cmd('bwipeout!')

  vim.cmd('helptags ' .. vim.fn.fnameescape(os.getenv('MAXCODE_PLUGIN') .. '/doc'))
  for _, tag in ipairs({ 'maxcode', 'maxcode-server', 'maxcode-options', 'maxcode-status', ':MaxCode', 'g:maxcode_auto' }) do
    vim.cmd('help ' .. tag)
    assert(vim.fn.expand('%:t') == 'maxcode.txt', tag)
  end
  vim.cmd('helpclose')

  vim.api.nvim_set_current_buf(bufnr)
  vim.cmd('MaxCode doctor')
  assert(vim.bo.buftype == 'terminal')
  wait('the doctor', function() return text():find('compiler', 1, true) ~= nil end)
  vim.cmd('bwipeout!')

  -- A CUDA file is served with whatever the server has to say of it.
  local cuda = S.open(vim.fn.fnamemodify(S.file, ':h') .. '/scale.cu')
  assert(vim.bo.filetype == 'cuda')
  S.client(cuda)
  local told = #S.messages
  vim.cmd('MaxCode')
  wait('the state of the CUDA file', function() return #S.messages > told end)
  vim.cmd('MaxCode explain')
  wait('what there is to say of it', function() return #S.messages > told + 1 end)

  vim.cmd('enew')
  vim.cmd('MaxCode optimize')
  assert(was_said('this is no C or C++ program.'), vim.inspect(S.messages))
  vim.bo.filetype = 'cpp'
  vim.cmd('MaxCode optimize')
  assert(was_said('this program is in no file yet'), vim.inspect(S.messages))
  S.quit_clients()
end)
