-- Matches that are over, with the place of each seat: what tournaments and ratings count. Spectators, who read with
-- `late` before `public` in the search path, have theirs.

CREATE VIEW played_matches AS
    SELECT n.id, m.table_name, m.game, m.edition, m.names, p.places, extract(epoch FROM m.first_heard)::float AS heard
    FROM standing_matches AS m JOIN match_numbers AS n USING (table_name, epoch, match),
    LATERAL (
        SELECT array_agg((s.said ->> 'place')::integer ORDER BY (s.said ->> 'seat')::integer) AS places
        FROM jsonb_array_elements(m.standings) AS s (said)
    ) AS p
    WHERE m.is_over AND m.fault = '' AND jsonb_array_length(m.standings) = cardinality(m.names);

CREATE VIEW late.played_matches AS
    SELECT p.* FROM public.played_matches AS p JOIN late.match_numbers AS n USING (id);
