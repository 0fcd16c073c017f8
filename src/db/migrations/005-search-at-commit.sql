-- Texts are indexed at the end of each transaction of an import, kind by kind,
-- instead of row by row: a row of `search` whose id is lower than the one
-- before makes FTS5 write out what it has gathered, and each insert with a
-- trigger kept copies of the pages that it changed (30 KB a game together).
-- What is removed or changed by hand is still followed by triggers.

DROP TRIGGER search_player;
DROP TRIGGER search_event;
DROP TRIGGER search_site;
DROP TRIGGER search_team;
DROP TRIGGER search_game_in;
DROP TRIGGER search_comment;
