-- How debates turned out. Rows are only appended: the last one that is of the present verdict counts.
CREATE TABLE settlements (
  id         INTEGER PRIMARY KEY,
  session    TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  rounds     INTEGER NOT NULL, -- that the verdict is of
  result     TEXT NOT NULL,
  look_again INTEGER,          -- when it is due again
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX settlements_session ON settlements(session);

-- When to say how a verdict turned out; NULL: no date.
ALTER TABLE verdicts ADD COLUMN look_again INTEGER;

-- For the list: how the present verdict turned out, and when to say it or to look again.
ALTER TABLE sessions ADD COLUMN settled TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN look_again INTEGER;
