-- People, undoing, and the journal of what was decided by hand.

ALTER TABLE run ADD COLUMN undone TEXT;

-- Names as they compare (src/db/fold.rs), and whose alias a name is. Old names
-- get theirs from the program that runs this.
ALTER TABLE player ADD COLUMN folded TEXT;
ALTER TABLE player ADD COLUMN pinyin TEXT;
ALTER TABLE player ADD COLUMN canonical_id INTEGER REFERENCES player (id);
ALTER TABLE event ADD COLUMN folded TEXT;

CREATE INDEX player_by_folded ON player (folded);
CREATE INDEX player_by_pinyin ON player (pinyin) WHERE pinyin IS NOT NULL;
CREATE INDEX player_by_canonical ON player (canonical_id) WHERE canonical_id IS NOT NULL;
CREATE INDEX event_by_folded ON event (folded);

CREATE TABLE journal (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('undo-run', 'merge-players', 'merge-games')),
    detail TEXT NOT NULL,
    undone TEXT
) STRICT;

-- Every name with the name of the person.
CREATE VIEW person AS
SELECT player.id AS player_id, player.name AS name,
       ifnull(player.canonical_id, player.id) AS person_id,
       ifnull(canonical.name, player.name) AS person
FROM player LEFT JOIN player AS canonical ON canonical.id = player.canonical_id;
