-- Spectators see every table as it stands: nothing waits any more.

DROP SCHEMA late CASCADE;
DROP VIEW table_moments;
DROP TABLE situations;
ALTER TABLE tables DROP COLUMN late;

-- What stands at each table: in the newest match that was told.
CREATE VIEW table_moments AS
    SELECT DISTINCT ON (m.table_name)
        m.table_name, m.epoch, m.match, m.situation, m.edition, m.first_heard, m.updated
    FROM standing_matches AS m JOIN epochs AS e USING (table_name, epoch)
    WHERE m.situation IS NOT NULL ORDER BY m.table_name, e.place DESC, m.match DESC;
