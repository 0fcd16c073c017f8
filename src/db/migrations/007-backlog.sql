-- A long import commits its games before their segment is written.

CREATE TABLE backlog (
    first_game INTEGER NOT NULL
) STRICT;
