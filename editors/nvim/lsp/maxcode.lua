-- For `vim.lsp.enable('maxcode')`: Neovim 0.11 and newer.
return require('maxcode.client').config()
