"""Access to the pages: links, codes, cookies and limits."""
