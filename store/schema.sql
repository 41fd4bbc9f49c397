-- A column is what a condition, an order or a list reads. All else that is known of a
-- session, a round, a turn or a call is JSON in its column body, which the types of the
-- package debate give its form. Times are nanoseconds since 1970, UTC; NULL is "never".

-- One row a debate. What a list shows comes first, so that listing does not read the body
-- behind it; every transaction that changes what those columns count brings them up to
-- date. They are copies: the rows of the other tables are the truth.
CREATE TABLE sessions (
  id           TEXT NOT NULL PRIMARY KEY,
  created      INTEGER NOT NULL,
  updated      INTEGER NOT NULL,
  deleted      INTEGER,
  mode         TEXT NOT NULL,
  question     TEXT NOT NULL,
  rounds       INTEGER NOT NULL,
  round        INTEGER NOT NULL DEFAULT 0,
  round_ended  INTEGER NOT NULL DEFAULT 0,
  required     INTEGER NOT NULL DEFAULT 0,
  optional     INTEGER NOT NULL DEFAULT 0,
  asking       TEXT NOT NULL DEFAULT '',
  cost         REAL DEFAULT 0,
  tokens       INTEGER NOT NULL DEFAULT 0,
  concluded    INTEGER NOT NULL DEFAULT 0,
  reported     INTEGER NOT NULL DEFAULT 0, -- the verdict has a report
  brief        TEXT NOT NULL DEFAULT '',   -- the verdict in a line
  side         TEXT NOT NULL DEFAULT '',   -- of the majority
  settled      TEXT NOT NULL DEFAULT '',   -- how the verdict turned out
  stopped      TEXT NOT NULL DEFAULT '',
  forked_from  TEXT NOT NULL DEFAULT '',
  fork_round   INTEGER NOT NULL DEFAULT 0,
  eval         TEXT NOT NULL DEFAULT '',   -- the evaluation that it belongs to; lists leave such debates out
  eval_key     TEXT NOT NULL DEFAULT '',
  call         TEXT NOT NULL DEFAULT '',   -- with which an assistant began it, so that a repeated one finds it
  door         TEXT NOT NULL DEFAULT '',   -- the command that created it, such as "interface" or "run"
  title        TEXT NOT NULL,
  topic        TEXT NOT NULL,
  outline      TEXT NOT NULL,              -- the seats without their personas
  body         TEXT NOT NULL               -- debate.Session
) STRICT;
CREATE INDEX sessions_newest ON sessions(updated DESC, id) WHERE deleted IS NULL;
CREATE INDEX sessions_eval ON sessions(eval, eval_key) WHERE eval <> '';
CREATE INDEX sessions_call ON sessions(call, updated) WHERE call <> '';

CREATE TABLE rounds (
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  number  INTEGER NOT NULL,
  ended   INTEGER,
  body    TEXT NOT NULL, -- debate.Round
  PRIMARY KEY (session, number)
) STRICT;

-- One row an attempt of a turn; those of chairs and the light model have a negative step.
-- Its body is debate.Response without texts, its statement cut to an outline. The texts are
-- beside it, so that an outline is read without them: those of all passages, then their
-- reasoning. While the turn runs they are in passages and partials instead. An attempt that
-- has not begun is in state due, and due says from when it may begin.
CREATE TABLE turns (
  id        INTEGER PRIMARY KEY,
  session   TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  round     INTEGER NOT NULL,
  step      INTEGER NOT NULL,
  agent     TEXT NOT NULL,
  attempt   INTEGER NOT NULL,
  purpose   TEXT NOT NULL,
  state     TEXT NOT NULL,
  began     INTEGER,
  ended     INTEGER,
  due       INTEGER,
  inherited INTEGER NOT NULL DEFAULT 0, -- a fork was begun with it, and does not pay for it
  body      TEXT NOT NULL,
  said      TEXT NOT NULL DEFAULT '',
  UNIQUE (session, round, step, agent, attempt)
) STRICT;
CREATE INDEX turns_running ON turns(session) WHERE state = 'running';
CREATE INDEX turns_due ON turns(session) WHERE state = 'due';

-- One row a completion that was asked for, with the request as it was sent: JSON, and in
-- a line of its own how its texts are divided, compressed by zstd with that of an earlier call of
-- the same seat, the base, as dictionary.
CREATE TABLE calls (
  id      INTEGER PRIMARY KEY,
  turn    INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  n       INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  state   TEXT NOT NULL, -- sent, done, broken, interrupted
  waits   INTEGER NOT NULL DEFAULT 0, -- between a try that failed, or a wait for its provider, and the next try
  cost    REAL,
  tokens  INTEGER NOT NULL DEFAULT 0,
  hash    TEXT NOT NULL, -- SHA-256 of the request, in hex
  base    INTEGER,
  body    TEXT NOT NULL, -- debate.Receipt
  request BLOB NOT NULL,
  UNIQUE (turn, n)
) STRICT;

-- The text of a completion of a turn that runs.
CREATE TABLE passages (
  turn      INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  n         INTEGER NOT NULL CHECK (n BETWEEN 0 AND 999),
  reasoning TEXT NOT NULL,
  text      TEXT NOT NULL,
  PRIMARY KEY (turn, n)
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

CREATE TABLE tool_calls (
  turn    INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  id      TEXT NOT NULL,
  passage INTEGER NOT NULL CHECK (passage BETWEEN 0 AND 999),
  place   INTEGER NOT NULL,
  body    TEXT NOT NULL, -- debate.ToolRecord without the text of its result
  result  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (turn, id)
) STRICT;

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

-- What else is known of a session, each kind a type of the package debate: notices,
-- messages of the user, changes of seats, summaries, verdicts and so on.
CREATE TABLE documents (
  id      INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  kind    TEXT NOT NULL,
  key     TEXT NOT NULL, -- within its kind; '': none
  round   INTEGER NOT NULL,
  body    TEXT NOT NULL
) STRICT;
CREATE INDEX documents_kind ON documents(session, kind, key);

-- The texts that users brought to debates, each stored once.
CREATE TABLE evidence_texts (
  hash TEXT NOT NULL PRIMARY KEY, -- SHA-256 of the text, in hex
  text TEXT NOT NULL
) STRICT;

-- What was typed for a debate that has not begun. There is one at most.
CREATE TABLE new_debate (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  at   INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

-- The definitions of MCP servers' tools that the user has approved.
CREATE TABLE tool_definitions (
  server   TEXT NOT NULL,
  tool     TEXT NOT NULL, -- the server's own name for it
  hash     TEXT NOT NULL,
  text     TEXT NOT NULL, -- JSON
  approved INTEGER NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT;

-- What a search looks through, in the form that is compared, and where the text itself is.
CREATE TABLE texts (
  id      INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  kind    TEXT NOT NULL,
  round   INTEGER NOT NULL,
  agent   TEXT NOT NULL,
  request TEXT NOT NULL,
  source  INTEGER NOT NULL, -- turns.id, context_events.seq or documents.id
  folded  TEXT NOT NULL
) STRICT;
CREATE INDEX texts_session ON texts(session, kind, request);
