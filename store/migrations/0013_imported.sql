-- Which export a session was imported from, as JSON; NULL: it began here.
ALTER TABLE sessions ADD COLUMN imported TEXT;
