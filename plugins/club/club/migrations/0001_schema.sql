-- Tables of the club, and every line that they have said.

CREATE TABLE tables (
    name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
    title text NOT NULL,
    -- counts up when the table gets another key; what the broker is told is made anew from it
    key_number integer NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'never' CHECK (state IN ('never', 'online', 'offline')),
    last_seen timestamptz,
    added timestamptz NOT NULL DEFAULT now(),
    removed timestamptz,
    -- a table that floods comes in no more: the call that told the director, who lets it in again with it
    shut_out text
);

-- Codes by which a table joins, once and for a short time.
CREATE TABLE joinings (
    code_hash bytea PRIMARY KEY,
    table_name text NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    ends timestamptz NOT NULL
);

-- A table's numbering of its matches: a restored or mended journal begins another one.
CREATE TABLE epochs (
    table_name text NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    epoch text NOT NULL CHECK (epoch ~ '^[0-9a-f]{32}$'),
    place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    lines bigint NOT NULL DEFAULT 0,
    -- the newest change of names that was heard of, so that an older one can't bring a name back
    names_change bigint NOT NULL DEFAULT 0,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, epoch)
);

CREATE TABLE matches (
    table_name text NOT NULL,
    epoch text NOT NULL,
    match integer NOT NULL CHECK (match > 0),
    -- how many lines are kept, and after how many of them the columns below are true
    lines integer NOT NULL DEFAULT 0,
    told integer NOT NULL DEFAULT 0,
    game text NOT NULL DEFAULT '',
    edition text NOT NULL DEFAULT '',
    -- by seat
    names text[] NOT NULL DEFAULT '{}',
    -- when, as the table's first line has it: with the table's name it tells one match from another
    begun text NOT NULL DEFAULT '',
    is_over boolean NOT NULL DEFAULT false,
    reason text NOT NULL DEFAULT '',
    winners integer[] NOT NULL DEFAULT '{}',
    -- by seat: {"seat", "place", "counts", "out"}
    standings jsonb NOT NULL DEFAULT '[]',
    -- the public moment of docs/events.md
    situation jsonb,
    -- why no rule could be applied to the lines from `told` on; nothing, if all is well
    fault text NOT NULL DEFAULT '',
    first_heard timestamptz NOT NULL DEFAULT now(),
    updated timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, epoch, match),
    FOREIGN KEY (table_name, epoch) REFERENCES epochs ON DELETE CASCADE
);
CREATE INDEX matches_to_tell ON matches (updated) WHERE told < lines;
CREATE INDEX matches_by_begun ON matches (table_name, begun);

CREATE TABLE lines (
    table_name text NOT NULL,
    epoch text NOT NULL,
    match integer NOT NULL,
    number integer NOT NULL CHECK (number >= 0),
    -- SHA-256 of the line, names left out
    hash bytea NOT NULL,
    body text NOT NULL,
    received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, epoch, match, number),
    FOREIGN KEY (table_name, epoch, match) REFERENCES matches ON DELETE CASCADE
);

-- What claims a place that another line has, or doesn't fit its own hash: for the director's eyes.
CREATE TABLE quarantine (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    epoch text NOT NULL,
    match integer NOT NULL,
    number integer NOT NULL,
    hash bytea NOT NULL,
    body text NOT NULL,
    why text NOT NULL,
    received timestamptz NOT NULL DEFAULT now(),
    seen timestamptz,
    UNIQUE (table_name, epoch, match, number, hash)
);

-- The match that counts of several of one beginning: that of the newest epoch, and in it the newest number.
CREATE VIEW standing_matches AS
    SELECT DISTINCT ON (m.table_name, coalesce(nullif(m.begun, ''), m.epoch || ' ' || m.match)) m.*
    FROM matches AS m JOIN epochs AS e USING (table_name, epoch)
    WHERE m.lines > 0
    ORDER BY m.table_name, coalesce(nullif(m.begun, ''), m.epoch || ' ' || m.match), e.place DESC, m.match DESC;

-- What stands at each table: in the newest match that was told.
CREATE VIEW table_moments AS
    SELECT DISTINCT ON (m.table_name)
        m.table_name, m.epoch, m.match, m.situation, m.edition, m.first_heard, m.updated
    FROM standing_matches AS m JOIN epochs AS e USING (table_name, epoch)
    WHERE m.situation IS NOT NULL ORDER BY m.table_name, e.place DESC, m.match DESC;

-- What a table asks of the director, and what the hub asks of a table.

CREATE TABLE calls (
    table_name text NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    -- drawn by the table: a call that is sent twice is one call
    id text NOT NULL CHECK (id ~ '^[0-9a-f]{16}$'),
    -- who calls: a name, a seat's button, or nothing; and why, in their words
    who text NOT NULL DEFAULT '',
    why text NOT NULL DEFAULT '',
    -- when the match that it is about was begun, and at which moment
    begun text NOT NULL DEFAULT '',
    moment integer NOT NULL DEFAULT 0,
    -- a small picture of what the newest ruling rests on (JPEG), where the table has one
    evidence bytea,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'coming', 'done')),
    -- what the director answers or has ruled; the table shows it
    answer text NOT NULL DEFAULT '',
    asked timestamptz NOT NULL DEFAULT now(),
    updated timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, id)
);
CREATE INDEX calls_open ON calls (asked) WHERE state <> 'done';

-- Names that a table still has to forget; a row goes when the table says that it has.
CREATE TABLE forgettings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    name text NOT NULL,
    asked timestamptz NOT NULL DEFAULT now(),
    UNIQUE (table_name, name)
);

-- What the club tells a table now, one note a table: the seats of the next round, a timer.
CREATE TABLE notes (
    table_name text PRIMARY KEY REFERENCES tables (name) ON DELETE CASCADE,
    -- a ClubNote of firmware/integrations/club_messages.py
    note jsonb NOT NULL,
    updated timestamptz NOT NULL DEFAULT now()
);

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

-- Matches that are over, with the place of each seat: what tournaments count.
CREATE VIEW played_matches AS
    SELECT n.id, m.table_name, m.game, m.names, p.places, extract(epoch FROM m.first_heard)::float AS heard
    FROM standing_matches AS m JOIN match_numbers AS n USING (table_name, epoch, match),
    LATERAL (
        SELECT array_agg((s.said ->> 'place')::integer ORDER BY (s.said ->> 'seat')::integer) AS places
        FROM jsonb_array_elements(m.standings) AS s (said)
    ) AS p
    WHERE m.is_over AND m.fault = '' AND jsonb_array_length(m.standings) = cardinality(m.names);

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
