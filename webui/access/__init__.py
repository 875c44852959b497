"""Who gets in: links, codes, cookies and limits."""
