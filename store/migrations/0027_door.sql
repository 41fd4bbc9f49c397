-- The command that created a debate, such as "interface" or "run".
ALTER TABLE sessions ADD COLUMN door TEXT NOT NULL DEFAULT '';
