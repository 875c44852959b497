DROP SCHEMA late CASCADE;
DROP VIEW table_moments;
DROP TABLE situations;
ALTER TABLE tables DROP COLUMN late;
