-- A long import commits its games before their segment is written.

CREATE TABLE backlog (
    first_game INTEGER NOT NULL
) STRICT;

-- Ratings of the players, for the opening tree.
ALTER TABLE game ADD COLUMN red_rating INTEGER;
ALTER TABLE game ADD COLUMN black_rating INTEGER;

-- Beside a key of a table without row ids, SQLite reads whole rows to compare
-- them, and a position with a million games has a megabyte of ids.
DROP TABLE position_tree;
CREATE TABLE position_tree (
    segment_id INTEGER NOT NULL REFERENCES segment (id),
    key        INTEGER NOT NULL,
    games      INTEGER NOT NULL,
    moves      BLOB NOT NULL,
    ids        BLOB NOT NULL,
    UNIQUE (segment_id, key)
) STRICT;

-- Without the date: a large import falls on the pages of this index in no
-- order, so that they should be few.
DROP INDEX game_by_content;
CREATE INDEX game_by_content ON game (content_hash, red_id, black_id)
    WHERE duplicate_of IS NULL;
