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
