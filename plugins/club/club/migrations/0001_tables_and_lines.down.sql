DROP VIEW standing_matches;
DROP TABLE quarantine, lines, matches, epochs, joinings, tables;
