-- Tournaments, people who agreed to be kept, and what matches came to.

-- One row: the director's PIN, and what cookies are signed with.
CREATE TABLE club_keys (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    pin text NOT NULL,
    secret text NOT NULL
);

CREATE TABLE people (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    -- when the person agreed to be kept; nobody else is in this table
    agreed timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tournaments (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- a Tournament of plugins/club/club/tournament/values.py; results aren't in it
    state jsonb NOT NULL,
    begun timestamptz NOT NULL DEFAULT now(),
    updated timestamptz NOT NULL DEFAULT now()
);

-- The club's own number of a match: it never changes, and orders the matches of a table as they came.
CREATE TABLE match_numbers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL,
    epoch text NOT NULL,
    match integer NOT NULL,
    UNIQUE (table_name, epoch, match),
    FOREIGN KEY (table_name, epoch, match) REFERENCES matches ON DELETE CASCADE
);
CREATE FUNCTION number_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO match_numbers (table_name, epoch, match) VALUES (NEW.table_name, NEW.epoch, NEW.match)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER number_new_match AFTER INSERT ON matches FOR EACH ROW EXECUTE FUNCTION number_match();
INSERT INTO match_numbers (table_name, epoch, match)
    SELECT table_name, epoch, match FROM matches JOIN epochs USING (table_name, epoch) ORDER BY place, match;

-- What a match came to after so many lines, so that it needn't be played again for statistics.
CREATE TABLE summaries (
    id bigint PRIMARY KEY REFERENCES match_numbers ON DELETE CASCADE,
    lines integer NOT NULL,
    counted integer NOT NULL,
    summary jsonb NOT NULL
);

-- Who was forgotten, as a keyed hash of the name: a backup that is restored forgets them again.
CREATE TABLE forgotten_people (
    name_hash bytea PRIMARY KEY,
    forgotten timestamptz NOT NULL DEFAULT now()
);
