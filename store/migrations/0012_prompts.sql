-- The version of the prompts that a turn was asked with.
ALTER TABLE turns ADD COLUMN prompts INTEGER NOT NULL DEFAULT 0; -- 0: not stored by earlier versions
