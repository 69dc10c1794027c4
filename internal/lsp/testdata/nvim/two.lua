-- Two files have unsaved changes that only make sense together: a helper in one
-- waits, its caller in another package holds a lock.
local S = ...
S.connect()
local peer = S.open('peer/peer.go')
local hub = S.open('web/hub.go')
S.found(hub, 1)
S.substitute(hub, '\ttime.Sleep(time.Second)', '\tpeer.Ping()')
S.substitute(hub, '\t"time"', '\t"time"\n\n\t"example.com/web/peer"')
S.found(hub, 0)
S.substitute(peer, 'func Ping() {}', 'func Ping() { time.Sleep(time.Second) }')
S.substitute(peer, 'package peer', 'package peer\n\nimport "time"')
local d = S.found(hub, 1)[1]
assert(d.message:find('Ping', 1, true), d.message)
assert(not S.file('peer/peer.go'):find('Sleep'), 'something was written')
