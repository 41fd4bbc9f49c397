-- Another model of a seat, from a round on. Rows are only appended: the last one of a seat
-- for a round counts. The seats of a session are those that it began with.
CREATE TABLE seat_changes (
  id      INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  round   INTEGER NOT NULL,
  agent   TEXT NOT NULL,
  was     TEXT NOT NULL,
  now     TEXT NOT NULL,
  at      INTEGER NOT NULL
) STRICT;
CREATE INDEX seat_changes_session ON seat_changes(session);
