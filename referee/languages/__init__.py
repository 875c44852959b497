"""Translation catalogues, one file per language."""
