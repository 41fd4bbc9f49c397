-- What was typed for a debate that has not begun. There is one at most.
CREATE TABLE new_debate (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  at   INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
