-- The opening code of the moves themselves, beside the one a file claims. Old
-- games get theirs from the program that runs this.
ALTER TABLE game ADD COLUMN opening TEXT;

CREATE INDEX game_by_opening ON game (opening);

DROP VIEW game_view;
CREATE VIEW game_view AS
SELECT game.id, source.path, game.number, source.format,
       event.name AS event, site.name AS site, game.date, game.year, game.round,
       red.name AS red, black.name AS black,
       red_team.name AS red_team, black_team.name AS black_team,
       game.result, game.ecco, game.opening, game.title, game.annotator, game.plies,
       game.variations, game.outcome, game.winner, game.errors, game.duplicate_of
FROM game
JOIN source ON source.id = game.source_id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS red ON red.id = game.red_id
LEFT JOIN player AS black ON black.id = game.black_id
LEFT JOIN team AS red_team ON red_team.id = game.red_team_id
LEFT JOIN team AS black_team ON black_team.id = game.black_team_id;
