DROP TRIGGER number_new_match ON matches;
DROP FUNCTION number_match;
DROP TABLE forgotten_people, summaries, match_numbers, tournaments, people, club_keys;
