-- A long import commits its games before their segment is written.

CREATE TABLE backlog (
    first_game INTEGER NOT NULL
) STRICT;

-- Ratings of the players, for the opening tree.
ALTER TABLE game ADD COLUMN red_rating INTEGER;
ALTER TABLE game ADD COLUMN black_rating INTEGER;
