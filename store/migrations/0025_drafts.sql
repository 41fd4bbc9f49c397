-- Beside the answer that is being typed, the reason why there is none, or the other way round.
ALTER TABLE context_drafts ADD COLUMN other TEXT NOT NULL DEFAULT '';
