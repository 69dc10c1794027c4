-- The action to ignore a finding inserts a directive that holds.
local S = ...
S.connect()
local buf = S.open('web/hub.go')
local d = S.found(buf, 1)[1]
local done = false
for _, a in ipairs(S.actions(buf, d.lnum)) do
  if a.title:find('ignore', 1, true) then
    S.apply(buf, a)
    done = true
  end
end
assert(done, 'not offered')
local row = S.row(buf, 'time.Sleep')
local line = vim.api.nvim_buf_get_lines(buf, row - 1, row, false)[1]
assert(line == '\t//concvet:ignore holdacross/lock-blocking TODO: reason', line)
S.found(buf, 0)
-- Hover explains what is ignored.
vim.api.nvim_win_set_cursor(0, { row, 8 })
local res = vim.lsp.buf_request_sync(buf, 'textDocument/hover', vim.lsp.util.make_position_params(), 10000)
assert(res[S.id].result.contents.value:find('lock', 1, true), vim.inspect(res))
