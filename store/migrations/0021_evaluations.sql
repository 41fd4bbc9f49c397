-- Which question of an evaluation a debate plays, as {name, key, facts}; NULL: none. Lists leave such debates out.
ALTER TABLE sessions ADD COLUMN eval TEXT;
CREATE INDEX sessions_eval ON sessions(eval ->> '$.name', eval ->> '$.key') WHERE eval IS NOT NULL;
