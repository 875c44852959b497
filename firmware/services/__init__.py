"""Services of the table for pages and terminals."""
