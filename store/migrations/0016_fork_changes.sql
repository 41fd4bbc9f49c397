-- What forks changed, a JSON array.
ALTER TABLE sessions ADD COLUMN fork_changes TEXT NOT NULL DEFAULT 'null';
