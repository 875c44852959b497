-- A table that floods comes in no more; which call told the director, who lets it in again by doing with it.

ALTER TABLE tables ADD COLUMN shut_out text;
