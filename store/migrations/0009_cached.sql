-- How many of the input tokens servers took from their caches.
ALTER TABLE calls ADD COLUMN cached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN cached INTEGER NOT NULL DEFAULT 0;
