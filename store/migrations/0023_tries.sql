-- How often a request was sent: once more than its tries that are known to have failed.
ALTER TABLE calls ADD COLUMN tries INTEGER NOT NULL DEFAULT 1;
