-- A request is not under way between a try that failed, or a wait for its provider, and the next try.
ALTER TABLE calls ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
