-- Calls of tools that an agent has of its own and ran itself.
ALTER TABLE tool_calls ADD COLUMN own INTEGER NOT NULL DEFAULT 0;
