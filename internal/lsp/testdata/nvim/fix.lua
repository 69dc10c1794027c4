-- A finding appears, on a line whose characters are not all of one byte; its
-- fix applies, the finding goes, and what is written is the fixed text.
local S = ...
S.connect()
local buf = S.open('web/web.go')
local d = S.found(buf, 2)[1]
local line = vim.api.nvim_buf_get_lines(buf, d.lnum, d.lnum + 1, false)[1]
assert(line:sub(d.col + 1, d.end_col) == 'srv.ListenAndServe', 'it marks ' .. line:sub(d.col + 1, d.end_col))
assert(S.client().offset_encoding == 'utf-16', S.client().offset_encoding)
assert(d.severity == vim.diagnostic.severity.WARN and d.source == 'concvet', vim.inspect(d))
local lsp = d.user_data.lsp
assert(lsp.code == 'nodeadline/http-server', vim.inspect(d))
assert(lsp.data and lsp.data.id, vim.inspect(d))

local list = S.actions(buf, d.lnum)
assert(#list >= 2 and list[1].kind == 'quickfix' and list[1].isPreferred, vim.inspect(list))
S.apply(buf, list[1])
assert(S.text(buf):find('Addr: "é:8080", Handler: h, ReadHeaderTimeout: 10 * time.Second}', 1, true), S.text(buf))
assert(S.text(buf):find('\t"time"\n', 1, true), 'no import\n' .. S.text(buf))
S.found(buf, 1)
vim.cmd('write')
assert(S.file('web/web.go') == S.text(buf), 'the file is not what is shown')
S.wait('a check after writing', function() return #S.diagnostics(buf) == 1 end)
