-- Tables of the club, and every line that they have said.

CREATE TABLE tables (
    name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
    title text NOT NULL,
    -- counts up when the table gets another key; what the broker is told is made anew from it
    key_number integer NOT NULL DEFAULT 1,
    -- SHA-256 of the key by which the table comes in
    key_hash bytea NOT NULL,
    state text NOT NULL DEFAULT 'never' CHECK (state IN ('never', 'online', 'offline')),
    last_seen timestamptz,
    -- what the table says of itself beside that: version, lines that wait
    told jsonb NOT NULL DEFAULT '{}',
    added timestamptz NOT NULL DEFAULT now(),
    removed timestamptz
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
    -- nothing writes it any more
    branch integer NOT NULL DEFAULT 0,
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
    -- counts up with every take-back and correction: what stood before lies on an older branch, and stays
    branch integer NOT NULL DEFAULT 0,
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
