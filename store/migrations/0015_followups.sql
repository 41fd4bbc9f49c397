-- The questions that the user asked after a verdict. Their turns have step -5.
CREATE TABLE followups (
  turn     INTEGER PRIMARY KEY REFERENCES turns(id) ON DELETE CASCADE,
  question TEXT NOT NULL
) STRICT;
