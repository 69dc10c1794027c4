-- What the cases share. Written for Neovim 0.7: vim.lsp.start is newer.
local S = { published = {}, enc = 'utf-16' }

local original = vim.lsp.handlers['textDocument/publishDiagnostics']

-- connect starts the server in the current folder.
function S.connect(options)
  S.id = vim.lsp.start_client({
    name = 'concvet',
    cmd = { vim.env.CONCVET, 'lsp' },
    root_dir = vim.fn.getcwd(),
    init_options = options or { debounceMs = 200 },
    handlers = {
      ['textDocument/publishDiagnostics'] = function(err, result, ctx, config)
        table.insert(S.published, result)
        original(err, result, ctx, config)
      end,
    },
  })
  assert(S.id, 'the server does not start')
end

function S.client() return vim.lsp.get_client_by_id(S.id) end

-- open edits a file and attaches the server.
function S.open(name)
  vim.cmd('edit ' .. name)
  local buf = vim.api.nvim_get_current_buf()
  assert(vim.lsp.buf_attach_client(buf, S.id), 'not attached to ' .. name)
  return buf
end

function S.diagnostics(buf)
  return vim.diagnostic.get(buf, { namespace = vim.lsp.diagnostic.get_namespace(S.id) })
end

function S.wait(what, ok)
  assert(vim.wait(60000, ok, 20), 'waited in vain for ' .. what .. '\n' .. vim.inspect(S.published))
end

-- found waits until the buffer has n diagnostics.
function S.found(buf, n)
  S.wait(n .. ' diagnostics', function() return #S.diagnostics(buf) == n end)
  return S.diagnostics(buf)
end

function S.text(buf) return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n') end

function S.file(name) return table.concat(vim.fn.readfile(name), '\n') end

-- row is the number of the first line with a text, from 0.
function S.row(buf, text)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
    if line:find(text, 1, true) then return i - 1 end
  end
  error('no line has ' .. text)
end

-- substitute replaces a text that is there once, as if it were typed.
function S.substitute(buf, old, new)
  local row = S.row(buf, old)
  local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
  local from = line:find(old, 1, true)
  vim.api.nvim_buf_set_text(buf, row, from - 1, row, from - 1 + #old, vim.split(new, '\n'))
end

-- actions asks for what can be done at a line, and sends the diagnostics back
-- as this editor has them.
function S.actions(buf, row, only)
  vim.api.nvim_set_current_buf(buf)
  vim.api.nvim_win_set_cursor(0, { row + 1, 0 })
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(buf, row, nil, S.id), only = only }
  local res = vim.lsp.buf_request_sync(buf, 'textDocument/codeAction', params, 60000)
  assert(res and res[S.id] and res[S.id].result, vim.inspect(res))
  return res[S.id].result
end

-- apply does what an action says, resolving it if that is left to do.
function S.apply(buf, action)
  if not action.edit then
    local res = vim.lsp.buf_request_sync(buf, 'codeAction/resolve', action, 60000)
    assert(res and res[S.id], vim.inspect(res))
    if not res[S.id].result then return vim.inspect(res[S.id]) end
    action = res[S.id].result
  end
  vim.lsp.util.apply_workspace_edit(action.edit, S.client().offset_encoding)
end

function S.messages() return vim.api.nvim_exec('messages', true) end

return S
