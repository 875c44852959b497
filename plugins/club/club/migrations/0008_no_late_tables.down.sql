DROP VIEW table_moments;

-- by how many minutes, as the table says
ALTER TABLE tables ADD COLUMN late integer NOT NULL DEFAULT 0 CHECK (late BETWEEN 0 AND 30);

-- What stood at such a table, for as long as something of it may still be shown.
CREATE TABLE situations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL,
    epoch text NOT NULL,
    match integer NOT NULL,
    situation jsonb NOT NULL,
    came timestamptz NOT NULL DEFAULT now(),
    -- whether other programs and open pages were told of it
    is_told boolean NOT NULL DEFAULT false,
    FOREIGN KEY (table_name, epoch, match) REFERENCES matches ON DELETE CASCADE
);
CREATE INDEX situations_by_table ON situations (table_name, came, id);
CREATE INDEX situations_to_tell ON situations (came) WHERE NOT is_told;

-- What stands at each table: in the newest match that was told.
CREATE VIEW table_moments AS
    SELECT DISTINCT ON (m.table_name)
        m.table_name, m.epoch, m.match, m.situation, m.edition, m.first_heard, m.updated, 0 AS late
    FROM standing_matches AS m JOIN epochs AS e USING (table_name, epoch)
    WHERE m.situation IS NOT NULL ORDER BY m.table_name, e.place DESC, m.match DESC;

CREATE SCHEMA late;

-- what stood at each table so many minutes ago
CREATE VIEW late.table_moments AS
    SELECT n.* FROM public.table_moments AS n JOIN public.tables AS t ON t.name = n.table_name WHERE t.late = 0
    UNION ALL
    (SELECT DISTINCT ON (s.table_name)
        s.table_name, s.epoch, s.match, s.situation, m.edition, m.first_heard, s.came, t.late
    FROM public.situations AS s
    JOIN public.matches AS m USING (table_name, epoch, match)
    JOIN public.tables AS t ON t.name = s.table_name
    WHERE t.late > 0 AND s.came <= now() - t.late * interval '1 minute'
    ORDER BY s.table_name, s.came DESC, s.id DESC);

-- matches of which everything is old enough
CREATE VIEW late.standing_matches AS
    SELECT m.* FROM public.standing_matches AS m JOIN public.tables AS t ON t.name = m.table_name
    WHERE t.late = 0 OR m.updated <= now() - t.late * interval '1 minute';

-- their numbers: without one, no line of a match is found
CREATE VIEW late.match_numbers AS
    SELECT n.* FROM public.match_numbers AS n
    JOIN public.matches AS m ON (m.table_name, m.epoch, m.match) = (n.table_name, n.epoch, n.match)
    JOIN public.tables AS t ON t.name = n.table_name
    WHERE t.late = 0 OR m.updated <= now() - t.late * interval '1 minute';

-- calls are of now: those of such a table are the director's alone
CREATE VIEW late.calls AS
    SELECT c.* FROM public.calls AS c JOIN public.tables AS t ON t.name = c.table_name WHERE t.late = 0;

CREATE VIEW late.played_matches AS
    SELECT p.* FROM public.played_matches AS p JOIN late.match_numbers AS n USING (id);
