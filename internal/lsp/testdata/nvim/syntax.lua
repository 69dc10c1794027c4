-- While the text does not compile the findings stay, and no error is shown of
-- it: gopls does that.
local S = ...
S.connect()
local buf = S.open('web/hub.go')
S.found(buf, 1)
local before = #S.published
vim.api.nvim_buf_set_lines(buf, -1, -1, false, { 'func broken( {' })
vim.wait(2500)
assert(#S.diagnostics(buf) == 1, vim.inspect(S.diagnostics(buf)))
assert(#S.actions(buf, S.row(buf, 'time.Sleep')) == 0, 'actions for text that was not checked')
vim.api.nvim_buf_set_lines(buf, -2, -1, false, { 'func whole() {}' })
S.wait('a check of the whole text', function() return #S.published > before end)
S.found(buf, 1)
