-- An action that was offered for other text is refused.
local S = ...
S.connect()
local buf = S.open('web/web.go')
local d = S.found(buf, 2)[1]
local action = S.actions(buf, d.lnum)[1]
local params = vim.deepcopy(action)
vim.api.nvim_buf_set_lines(buf, 0, 0, false, { '// Package web is new.' })
local text = S.text(buf)
if params.edit then
  -- This client gets edits at once and sends no version with them: nothing is
  -- offered any more.
  assert(#S.actions(buf, d.lnum + 1) == 0, 'offered for text that was not checked')
else
  local err = S.apply(buf, params)
  assert(err and err:find('changed since', 1, true), 'a stale action was resolved: ' .. tostring(err))
  assert(S.text(buf) == text, S.text(buf))
end
S.wait('the check of the new text', function() return #S.actions(buf, d.lnum + 1) > 0 end)
