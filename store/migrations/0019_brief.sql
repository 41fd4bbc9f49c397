-- The verdict in a line, for the list: what it came to, what changed and who dissents; and the side of the majority.
ALTER TABLE sessions ADD COLUMN brief TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN side TEXT NOT NULL DEFAULT '';

UPDATE sessions SET (brief, side) = (
  SELECT coalesce(max(substr(body ->> '$.headline' || ' · ', 1, instr(body ->> '$.headline' || ' · ', ' · ') - 1)), ''),
    coalesce(max(body ->> '$.side'), '')
  FROM verdicts WHERE session = sessions.id AND superseded IS NULL) WHERE concluded > 0;
