-- The first schema. docs/schema.md describes every table and column.

-- Checks on hot tables are written out: SQLite makes a temporary table for `IN`.

-- ASCII `qipu`: tells our databases from those of other programs.
PRAGMA application_id = 1902735477;

CREATE TABLE run (
    id            INTEGER PRIMARY KEY,
    started       TEXT NOT NULL,
    finished      TEXT,
    version       TEXT NOT NULL,
    options       TEXT NOT NULL,
    state         TEXT NOT NULL
                  CHECK (state IN ('running', 'finished', 'interrupted', 'failed')),
    files         INTEGER NOT NULL DEFAULT 0,
    files_skipped INTEGER NOT NULL DEFAULT 0,
    files_failed  INTEGER NOT NULL DEFAULT 0,
    games         INTEGER NOT NULL DEFAULT 0,
    new           INTEGER NOT NULL DEFAULT 0,
    duplicates    INTEGER NOT NULL DEFAULT 0,
    with_errors   INTEGER NOT NULL DEFAULT 0,
    plies         INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE source (
    id         INTEGER PRIMARY KEY,
    run_id     INTEGER NOT NULL REFERENCES run (id),
    path       TEXT NOT NULL,
    sha256     TEXT UNIQUE,
    bytes      INTEGER,
    format     TEXT,
    version    TEXT,
    encoding   TEXT,
    notation   TEXT,
    games      INTEGER NOT NULL DEFAULT 0,
    first_game INTEGER
) STRICT;

CREATE TABLE original (
    source_id INTEGER NOT NULL REFERENCES source (id),
    part      INTEGER NOT NULL,
    size      INTEGER NOT NULL,
    zstd      BLOB NOT NULL,
    PRIMARY KEY (source_id, part)
) STRICT;

CREATE TABLE player (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE event (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE site (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE team (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE game (
    id             INTEGER PRIMARY KEY,
    source_id      INTEGER NOT NULL REFERENCES source (id),
    number         INTEGER NOT NULL,
    line           INTEGER,
    offset         INTEGER NOT NULL,
    version        TEXT,
    encoding       TEXT,
    notation       TEXT,
    event_id       INTEGER REFERENCES event (id),
    site_id        INTEGER REFERENCES site (id),
    date           TEXT,
    year           INTEGER,
    round          TEXT,
    red_id         INTEGER REFERENCES player (id),
    black_id       INTEGER REFERENCES player (id),
    red_team_id    INTEGER REFERENCES team (id),
    black_team_id  INTEGER REFERENCES team (id),
    result         TEXT NOT NULL
                   CHECK (result = '1-0' OR result = '0-1' OR result = '1/2-1/2' OR result = '*'),
    ecco           TEXT,
    title          TEXT,
    annotator      TEXT,
    other          TEXT,
    start_fen      TEXT,
    plies          INTEGER NOT NULL,
    coding         INTEGER NOT NULL CHECK (coding IN (0, 1)),
    moves          BLOB NOT NULL,
    variations     INTEGER NOT NULL,
    outcome        TEXT,
    winner         TEXT CHECK (winner = 'red' OR winner = 'black' OR winner = 'draw'),
    article        TEXT,
    unplayed       TEXT,
    result_token   TEXT,
    trailer        TEXT,
    errors         INTEGER NOT NULL,
    content_hash   INTEGER NOT NULL,
    duplicate_of   INTEGER REFERENCES game (id)
) STRICT;

CREATE INDEX game_by_content ON game (content_hash, red_id, black_id, date)
    WHERE duplicate_of IS NULL;
CREATE INDEX game_by_red ON game (red_id);
CREATE INDEX game_by_black ON game (black_id);
CREATE INDEX game_by_event ON game (event_id);
CREATE INDEX game_by_year ON game (year);
CREATE INDEX game_by_duplicate ON game (duplicate_of) WHERE duplicate_of IS NOT NULL;

CREATE TABLE variation (
    game_id INTEGER NOT NULL REFERENCES game (id),
    node    INTEGER NOT NULL,
    parent  INTEGER NOT NULL,
    ply     INTEGER NOT NULL,
    move    TEXT NOT NULL,
    assumed TEXT,
    varies  INTEGER NOT NULL CHECK (varies IN (0, 1)),
    PRIMARY KEY (game_id, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE comment (
    game_id INTEGER NOT NULL REFERENCES game (id),
    seq     INTEGER NOT NULL,
    node    INTEGER NOT NULL,
    ply     INTEGER NOT NULL,
    before  INTEGER NOT NULL CHECK (before IN (0, 1)),
    text    TEXT NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE clock (
    game_id INTEGER NOT NULL REFERENCES game (id),
    seq     INTEGER NOT NULL,
    node    INTEGER NOT NULL,
    ply     INTEGER NOT NULL,
    text    TEXT NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE glyph (
    game_id INTEGER NOT NULL REFERENCES game (id),
    seq     INTEGER NOT NULL,
    node    INTEGER NOT NULL,
    ply     INTEGER NOT NULL,
    text    TEXT NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding (
    id         INTEGER PRIMARY KEY,
    source_id  INTEGER NOT NULL REFERENCES source (id),
    game_id    INTEGER REFERENCES game (id),
    code       TEXT NOT NULL,
    severity   TEXT NOT NULL
               CHECK (severity = 'note' OR severity = 'warning' OR severity = 'error'),
    reason     TEXT,
    ply        INTEGER,
    node       INTEGER,
    line       INTEGER,
    "column"   INTEGER,
    offset     INTEGER,
    text       TEXT NOT NULL,
    params     TEXT,
    article    TEXT,
    candidates TEXT,
    confidence REAL
) STRICT;

CREATE INDEX finding_by_game ON finding (game_id) WHERE game_id IS NOT NULL;
CREATE INDEX finding_by_source ON finding (source_id) WHERE game_id IS NULL;
CREATE INDEX finding_by_code ON finding (code, reason);

-- The position index: derived from the games, read through
-- db::index::PositionIndex, and described in docs/schema.md.

CREATE TABLE segment (
    id         INTEGER PRIMARY KEY,
    first_game INTEGER NOT NULL,
    last_game  INTEGER NOT NULL,
    bits       INTEGER NOT NULL,
    postings   INTEGER NOT NULL
) STRICT;

CREATE TABLE posting (
    id   INTEGER PRIMARY KEY,
    blob BLOB NOT NULL
) STRICT;

CREATE TABLE position_tree (
    segment_id INTEGER NOT NULL REFERENCES segment (id),
    key        INTEGER NOT NULL,
    games      INTEGER NOT NULL,
    moves      BLOB NOT NULL,
    ids        BLOB NOT NULL,
    PRIMARY KEY (segment_id, key)
) STRICT, WITHOUT ROWID;

-- For people.

CREATE VIEW game_view AS
SELECT game.id, source.path, game.number, source.format,
       event.name AS event, site.name AS site, game.date, game.year, game.round,
       red.name AS red, black.name AS black,
       red_team.name AS red_team, black_team.name AS black_team,
       game.result, game.ecco, game.title, game.annotator, game.plies, game.variations,
       game.outcome, game.winner, game.errors, game.duplicate_of
FROM game
JOIN source ON source.id = game.source_id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS red ON red.id = game.red_id
LEFT JOIN player AS black ON black.id = game.black_id
LEFT JOIN team AS red_team ON red_team.id = game.red_team_id
LEFT JOIN team AS black_team ON black_team.id = game.black_team_id;

CREATE VIEW header AS
SELECT game.id AS game_id, entry.key AS name, entry.value AS value
FROM game, json_each(game.other) AS entry;

CREATE VIEW finding_view AS
SELECT finding.id, source.path, game.number AS game, finding.game_id, finding.code,
       finding.severity, finding.reason, finding.ply, finding.line, finding."column",
       finding.offset, finding.text, finding.article
FROM finding
JOIN source ON source.id = finding.source_id
LEFT JOIN game ON game.id = finding.game_id;
