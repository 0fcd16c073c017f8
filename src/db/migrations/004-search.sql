-- Text search by trigrams over names, titles and comments. Triggers keep it in
-- step with the tables, whoever writes. A row's id is eight times the id of
-- what it is about, plus its kind: 0 player, 1 event, 2 site, 3 team, 4 game,
-- 5 comment (game_id * 2^24 + seq).

CREATE VIRTUAL TABLE search USING fts5 (
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

CREATE TRIGGER search_player AFTER INSERT ON player BEGIN
    INSERT INTO search (rowid, text) VALUES (new.id * 8, new.name);
END;
CREATE TRIGGER search_no_player AFTER DELETE ON player BEGIN
    DELETE FROM search WHERE rowid = old.id * 8;
END;
CREATE TRIGGER search_event AFTER INSERT ON event BEGIN
    INSERT INTO search (rowid, text) VALUES (new.id * 8 + 1, new.name);
END;
CREATE TRIGGER search_no_event AFTER DELETE ON event BEGIN
    DELETE FROM search WHERE rowid = old.id * 8 + 1;
END;
CREATE TRIGGER search_site AFTER INSERT ON site BEGIN
    INSERT INTO search (rowid, text) VALUES (new.id * 8 + 2, new.name);
END;
CREATE TRIGGER search_no_site AFTER DELETE ON site BEGIN
    DELETE FROM search WHERE rowid = old.id * 8 + 2;
END;
CREATE TRIGGER search_team AFTER INSERT ON team BEGIN
    INSERT INTO search (rowid, text) VALUES (new.id * 8 + 3, new.name);
END;
CREATE TRIGGER search_no_team AFTER DELETE ON team BEGIN
    DELETE FROM search WHERE rowid = old.id * 8 + 3;
END;

-- Other headers that nearly every PGN has are left out: src/db/search.rs lists
-- them, too.
CREATE VIEW search_game AS
SELECT id, ifnull(title, '') || char(10) || ifnull(annotator, '') || char(10) || ifnull(other, '')
    AS text
FROM game
WHERE title IS NOT NULL OR annotator IS NOT NULL
   OR (other IS NOT NULL
       AND other <> '{"Game":"Chinese Chess"}'
       AND other <> '{"Format":"Chinese","Game":"Chinese Chess"}'
       AND other <> '{"Format":"ICCS","Game":"Chinese Chess"}'
       AND other <> '{"Format":"WXF","Game":"Chinese Chess"}');

CREATE TRIGGER search_game_in AFTER INSERT ON game
WHEN new.title IS NOT NULL OR new.annotator IS NOT NULL
   OR (new.other IS NOT NULL
       AND new.other <> '{"Game":"Chinese Chess"}'
       AND new.other <> '{"Format":"Chinese","Game":"Chinese Chess"}'
       AND new.other <> '{"Format":"ICCS","Game":"Chinese Chess"}'
       AND new.other <> '{"Format":"WXF","Game":"Chinese Chess"}')
BEGIN
    INSERT INTO search (rowid, text)
    VALUES (new.id * 8 + 4, ifnull(new.title, '') || char(10) || ifnull(new.annotator, '')
                            || char(10) || ifnull(new.other, ''));
END;
CREATE TRIGGER search_game_out AFTER DELETE ON game BEGIN
    DELETE FROM search WHERE rowid = old.id * 8 + 4;
END;
CREATE TRIGGER search_game_changed AFTER UPDATE OF title, annotator, other ON game BEGIN
    DELETE FROM search WHERE rowid = old.id * 8 + 4;
    INSERT INTO search (rowid, text)
    SELECT id * 8 + 4, text FROM search_game WHERE id = new.id;
END;

CREATE TRIGGER search_comment AFTER INSERT ON comment BEGIN
    INSERT INTO search (rowid, text)
    VALUES ((new.game_id * 16777216 + new.seq) * 8 + 5, new.text);
END;
CREATE TRIGGER search_no_comment AFTER DELETE ON comment BEGIN
    DELETE FROM search WHERE rowid = (old.game_id * 16777216 + old.seq) * 8 + 5;
END;

INSERT INTO search (rowid, text) SELECT id * 8, name FROM player;
INSERT INTO search (rowid, text) SELECT id * 8 + 1, name FROM event;
INSERT INTO search (rowid, text) SELECT id * 8 + 2, name FROM site;
INSERT INTO search (rowid, text) SELECT id * 8 + 3, name FROM team;
INSERT INTO search (rowid, text) SELECT id * 8 + 4, text FROM search_game;
INSERT INTO search (rowid, text)
SELECT (game_id * 16777216 + seq) * 8 + 5, text FROM comment;

-- The main line as rows, by the functions that qipu brings along
-- (src/db/functions.rs); other programs lack them.
CREATE VIEW move_view AS
SELECT game.id AS game_id, entry.key + 1 AS ply, entry.value AS move
FROM game, json_each(qipu_moves(game.start_fen, game.coding, game.moves)) AS entry;
