-- How the context of each turn was fitted into its model's window, what calls
-- were thought to take before they were sent, and what the user told the agents
-- between rounds.
ALTER TABLE sessions ADD COLUMN fit TEXT NOT NULL DEFAULT '{}';
ALTER TABLE turns ADD COLUMN estimate INTEGER NOT NULL DEFAULT 0; -- tokens that its completions were thought to read
ALTER TABLE turns ADD COLUMN fitting TEXT; -- NULL: everything as it stands
ALTER TABLE calls ADD COLUMN estimate INTEGER NOT NULL DEFAULT 0; -- tokens that it was thought to read
ALTER TABLE calls ADD COLUMN patched TEXT; -- what the provider changed in the request; NULL: it did not say

-- One row a summary of a statement. The response is named by its id within the
-- session, so that a fork can take both along.
CREATE TABLE digests (
  id        INTEGER PRIMARY KEY,
  session   TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  response  TEXT NOT NULL,
  hash      TEXT NOT NULL, -- of what was summarised
  model     TEXT NOT NULL,
  version   INTEGER NOT NULL, -- of the prompt
  round     INTEGER NOT NULL, -- in which it was made
  from_size INTEGER NOT NULL, -- characters
  to_size   INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  text      TEXT NOT NULL,
  UNIQUE (session, response, hash, model, version)
) STRICT;

-- What the user said to one agent, or to all, for their next turn.
CREATE TABLE interjections (
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  n       INTEGER NOT NULL,
  agent   TEXT NOT NULL, -- '': all
  at      INTEGER NOT NULL,
  text    TEXT NOT NULL,
  PRIMARY KEY (session, n)
) STRICT;
