-- gopls runs beside concvet: both show what they find, and the editor has
-- nothing to say on their encodings.
local S = ...
S.connect()
local gopls = vim.lsp.start_client({ name = 'gopls', cmd = { 'gopls' }, root_dir = vim.fn.getcwd() })
local buf = S.open('web/web.go')
assert(vim.lsp.buf_attach_client(buf, gopls))
local d = S.found(buf, 2)[1]
S.wait('gopls', function() return vim.lsp.get_client_by_id(gopls).initialized end)
S.substitute(buf, 'func Second', 'var unused = undefined\n\nfunc Second')
S.wait('what gopls finds', function()
  return #vim.diagnostic.get(buf, { namespace = vim.lsp.diagnostic.get_namespace(gopls) }) > 0
end)
S.substitute(buf, 'var unused = undefined', 'var unused = 1')
S.wait('a check', function() return #S.actions(buf, d.lnum) > 0 end)
-- Both are asked for a hover and for actions, as a key would.
vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col })
vim.lsp.buf.hover()
vim.wait(500)
S.apply(buf, S.actions(buf, d.lnum)[1])
S.found(buf, 1)
assert(not S.messages():find('encoding'), S.messages())
