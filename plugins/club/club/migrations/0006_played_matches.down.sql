DROP VIEW late.played_matches;
DROP VIEW played_matches;
