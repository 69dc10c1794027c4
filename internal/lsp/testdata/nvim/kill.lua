-- The server is killed while it checks; whatever it had started ends.
local S = ...
S.connect()
local buf = S.open('web/hub.go')
S.found(buf, 1)
local pid = S.client().rpc.pid
S.substitute(buf, '\ttime.Sleep(time.Second)', '\ttime.Sleep(2 * time.Second)')
vim.wait(700)
vim.loop.kill(pid, 'sigkill')
S.wait('the end of the client', function() return S.client() == nil or S.client().is_stopped() end)
