-- Events get aliases as people have them, and the journal a step for it.

ALTER TABLE event ADD COLUMN canonical_id INTEGER REFERENCES event (id);
CREATE INDEX event_by_canonical ON event (canonical_id) WHERE canonical_id IS NOT NULL;

CREATE TABLE journal_of_all (
    id     INTEGER PRIMARY KEY,
    at     TEXT NOT NULL,
    action TEXT NOT NULL
           CHECK (action IN ('undo-run', 'merge-players', 'merge-events', 'merge-games')),
    detail TEXT NOT NULL,
    undone TEXT
) STRICT;
INSERT INTO journal_of_all SELECT id, at, action, detail, undone FROM journal;
DROP TABLE journal;
ALTER TABLE journal_of_all RENAME TO journal;

-- Every name with the name of the event.
CREATE VIEW competition AS
SELECT event.id AS event_id, event.name AS name,
       ifnull(event.canonical_id, event.id) AS competition_id,
       ifnull(canonical.name, event.name) AS competition
FROM event LEFT JOIN event AS canonical ON canonical.id = event.canonical_id;
