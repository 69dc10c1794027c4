-- All safe fixes at once, which bring the same import; a second time there is
-- nothing to do.
local S = ...
S.connect()
local buf = S.open('web/web.go')
S.found(buf, 2)
assert(#S.actions(buf, 0) == 0, 'fixes of the whole file are offered without being asked for')
local list = S.actions(buf, 0, { 'source.fixAll' })
assert(#list == 1 and list[1].kind == 'source.fixAll.concvet', vim.inspect(list))
S.apply(buf, list[1])
local _, imports = S.text(buf):gsub('"time"', '')
local _, timeouts = S.text(buf):gsub('ReadHeaderTimeout: 10', '')
assert(imports == 1 and timeouts == 2, S.text(buf))
S.found(buf, 0)
local text = S.text(buf)
assert(#S.actions(buf, 0, { 'source.fixAll' }) == 0, 'there is more to fix')
assert(S.text(buf) == text)
