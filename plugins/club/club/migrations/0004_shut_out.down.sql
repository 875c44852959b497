ALTER TABLE tables DROP COLUMN shut_out;
