-- What ends a debate before its planned rounds.
ALTER TABLE sessions ADD COLUMN endings TEXT NOT NULL DEFAULT '{}';
