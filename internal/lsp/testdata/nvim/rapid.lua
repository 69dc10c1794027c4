-- Twenty quick edits end in one publication, of the last text.
local S = ...
S.connect({ debounceMs = 1500 })
local buf = S.open('web/hub.go')
S.found(buf, 1)
local function count()
  local n = 0
  for _, p in ipairs(S.published) do
    if p.uri:find('hub.go', 1, true) then n = n + 1 end
  end
  return n
end
local before = count()
for i = 1, 20 do
  vim.api.nvim_buf_set_lines(buf, 2, 2, false, { '// line ' .. i })
  vim.wait(10)
end
S.wait('a publication', function() return count() > before end)
vim.wait(2500)
assert(count() == before + 1, count() - before .. ' publications')
local list = S.diagnostics(buf)
assert(#list == 1 and list[1].lnum == S.row(buf, 'time.Sleep'), vim.inspect(list))
