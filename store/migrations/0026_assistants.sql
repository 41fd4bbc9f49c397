-- The call with which an assistant began a session, so that a repeated one finds it.
ALTER TABLE sessions ADD COLUMN call TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_call ON sessions(call, updated) WHERE call != '';
-- The assistant whose words a draft has.
ALTER TABLE context_drafts ADD COLUMN proposed_by TEXT NOT NULL DEFAULT '';
