-- One row a debate. What a list shows comes first, so that listing does not
-- read the long columns behind it; every transaction that changes what those
-- columns count brings them up to date. They are copies: the rows of the other
-- tables are the truth. Times are nanoseconds since 1970, UTC; NULL is "never".
CREATE TABLE sessions (
  id          TEXT NOT NULL PRIMARY KEY,
  created     INTEGER NOT NULL,
  updated     INTEGER NOT NULL,
  deleted     INTEGER,
  mode_name   TEXT NOT NULL,
  rounds      INTEGER NOT NULL,
  round       INTEGER NOT NULL DEFAULT 0,
  round_ended INTEGER NOT NULL DEFAULT 0,
  required    INTEGER NOT NULL DEFAULT 0,
  optional    INTEGER NOT NULL DEFAULT 0,
  asking      TEXT NOT NULL DEFAULT '',
  missing     INTEGER NOT NULL DEFAULT 0,
  cost        REAL DEFAULT 0,
  tokens      INTEGER NOT NULL DEFAULT 0,
  concluded   INTEGER NOT NULL DEFAULT 0,
  outcome     TEXT NOT NULL DEFAULT '',
  stopped     TEXT NOT NULL DEFAULT '',
  title       TEXT NOT NULL,
  topic       TEXT NOT NULL,
  outline     TEXT NOT NULL, -- the seats without their personas
  forked_from TEXT NOT NULL DEFAULT '',
  fork_round  INTEGER NOT NULL DEFAULT 0,
  focus       TEXT NOT NULL DEFAULT '', -- for the next round
  config_hash TEXT NOT NULL,
  nonce       TEXT NOT NULL,
  caps        TEXT NOT NULL,
  budget      TEXT NOT NULL,
  seats       TEXT NOT NULL,
  chair       TEXT,
  light       TEXT,
  mode        TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_newest ON sessions(updated DESC, id) WHERE deleted IS NULL;

CREATE TABLE rounds (
  session   TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  hash      TEXT NOT NULL,
  began     INTEGER NOT NULL,
  ended     INTEGER,
  manifest  TEXT NOT NULL,
  consensus TEXT,
  PRIMARY KEY (session, number)
) STRICT;

-- One row an attempt of a turn. A chair's turns have a negative step.
CREATE TABLE turns (
  id        INTEGER PRIMARY KEY,
  session   TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  round     INTEGER NOT NULL,
  step      INTEGER NOT NULL,
  agent     TEXT NOT NULL,
  attempt   INTEGER NOT NULL,
  purpose   TEXT NOT NULL,
  role      TEXT NOT NULL,
  phase     TEXT NOT NULL,
  snapshot  TEXT NOT NULL,
  state     TEXT NOT NULL,
  began     INTEGER,
  ended     INTEGER,
  finish    TEXT NOT NULL DEFAULT '',
  input     INTEGER NOT NULL DEFAULT 0,
  output    INTEGER NOT NULL DEFAULT 0,
  reasoning INTEGER NOT NULL DEFAULT 0,
  estimated INTEGER NOT NULL DEFAULT 0,
  cost      REAL,
  sent      INTEGER NOT NULL DEFAULT 0,
  saw       TEXT NOT NULL,
  failure   TEXT,
  statement TEXT,
  UNIQUE (session, round, step, agent, attempt)
) STRICT;
CREATE INDEX turns_running ON turns(session) WHERE state = 'running';

-- One row a completion that was asked for, with the request as it was sent.
CREATE TABLE calls (
  id        INTEGER PRIMARY KEY,
  turn      INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  n         INTEGER NOT NULL,
  purpose   TEXT NOT NULL,
  state     TEXT NOT NULL, -- sent, done, broken, interrupted
  began     INTEGER NOT NULL,
  ended     INTEGER,
  finish    TEXT NOT NULL DEFAULT '',
  input     INTEGER NOT NULL DEFAULT 0,
  output    INTEGER NOT NULL DEFAULT 0,
  reasoning INTEGER NOT NULL DEFAULT 0,
  estimated INTEGER NOT NULL DEFAULT 0,
  cost      REAL,
  hash      TEXT NOT NULL,
  failure   TEXT,
  request   TEXT NOT NULL,
  UNIQUE (turn, n)
) STRICT;

-- The text of one completion. A partial one was never finished.
CREATE TABLE passages (
  id        INTEGER PRIMARY KEY,
  turn      INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  n         INTEGER NOT NULL CHECK (n BETWEEN 0 AND 999),
  partial   INTEGER NOT NULL,
  reasoning TEXT NOT NULL,
  text      TEXT NOT NULL,
  UNIQUE (turn, n)
) STRICT;

CREATE TABLE tool_calls (
  turn    INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  id      TEXT NOT NULL,
  passage INTEGER NOT NULL CHECK (passage BETWEEN 0 AND 999),
  place   INTEGER NOT NULL,
  name    TEXT NOT NULL,
  state   TEXT NOT NULL,
  began   INTEGER,
  took    INTEGER NOT NULL DEFAULT 0,
  status  TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '',
  args    TEXT NOT NULL,
  result  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (turn, id)
) STRICT;

-- The journal of text that is still being written.
CREATE TABLE partials (
  id        INTEGER PRIMARY KEY,
  turn      INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  passage   INTEGER NOT NULL CHECK (passage BETWEEN 0 AND 999),
  reasoning INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  text      TEXT NOT NULL
) STRICT;
CREATE INDEX partials_turn ON partials(turn);

-- All that is known of context requests: append-only.
CREATE TABLE context_events (
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq     INTEGER NOT NULL,
  request TEXT NOT NULL,
  type    TEXT NOT NULL,
  actor   TEXT NOT NULL,
  round   INTEGER,
  step    INTEGER,
  attempt INTEGER,
  call    TEXT,
  at      INTEGER NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT;
CREATE UNIQUE INDEX context_asks ON context_events(session, round, step, actor, attempt, call) WHERE type = 'ask';

CREATE TABLE context_drafts (
  session     TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  request     TEXT NOT NULL,
  at          INTEGER NOT NULL,
  unavailable INTEGER NOT NULL,
  source      TEXT NOT NULL,
  text        TEXT NOT NULL,
  PRIMARY KEY (session, request)
) STRICT;

CREATE TABLE verdicts (
  id         INTEGER PRIMARY KEY,
  session    TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  at         INTEGER NOT NULL,
  superseded INTEGER, -- when rounds were added, or another verdict was written
  outcome    TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX verdicts_session ON verdicts(session);

CREATE TABLE notices (
  id      INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  at      INTEGER NOT NULL,
  code    TEXT NOT NULL,
  agent   TEXT NOT NULL,
  round   INTEGER NOT NULL,
  text    TEXT NOT NULL
) STRICT;
CREATE INDEX notices_session ON notices(session);

-- What a search looks through. Folded is the body in the form that is compared.
CREATE TABLE texts (
  id      INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  kind    TEXT NOT NULL, -- title, topic, statement, answer, verdict
  round   INTEGER NOT NULL,
  agent   TEXT NOT NULL,
  request TEXT NOT NULL,
  folded  TEXT NOT NULL,
  body    TEXT NOT NULL
) STRICT;
CREATE INDEX texts_session ON texts(session, kind, request);
