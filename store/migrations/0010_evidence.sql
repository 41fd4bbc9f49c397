-- The texts that users brought to debates, each stored once.
CREATE TABLE evidence_texts (
  hash TEXT NOT NULL PRIMARY KEY, -- SHA-256 of the text, in hex
  text TEXT NOT NULL
) STRICT;

CREATE TABLE evidence (
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  n       INTEGER NOT NULL, -- F1 is 1
  name    TEXT NOT NULL,
  kind    TEXT NOT NULL,
  size    INTEGER NOT NULL, -- of the text, in bytes
  hash    TEXT NOT NULL REFERENCES evidence_texts(hash),
  note    TEXT NOT NULL,
  added   INTEGER NOT NULL,
  PRIMARY KEY (session, n)
) STRICT;
CREATE INDEX evidence_hash ON evidence(hash);

ALTER TABLE sessions ADD COLUMN workspace TEXT NOT NULL DEFAULT '{}';
