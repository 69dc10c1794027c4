-- Unsaved text is what is analysed: an edit takes a finding away, undo brings it
-- back, and nothing is written meanwhile.
local S = ...
S.connect()
local before = S.file('web/hub.go')
local buf = S.open('web/hub.go')
S.found(buf, 1)
S.substitute(buf, '\ttime.Sleep(time.Second)', '\th.ready = true')
S.found(buf, 0)
vim.cmd('silent undo')
local d = S.found(buf, 1)[1]
assert(d.lnum == S.row(buf, 'time.Sleep'), vim.inspect(d))
-- A line above moves it.
vim.api.nvim_buf_set_lines(buf, 2, 2, false, { '// one more', '' })
S.wait('the finding two lines below', function()
  local list = S.diagnostics(buf)
  return #list == 1 and list[1].lnum == S.row(buf, 'time.Sleep')
end)
assert(S.file('web/hub.go') == before, 'something was written')
