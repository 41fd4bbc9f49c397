-- Who wrote the topic, evidence, the focus of the next round and messages, and by which door; {}: not stored.
ALTER TABLE sessions ADD COLUMN author TEXT NOT NULL DEFAULT '{}';
ALTER TABLE sessions ADD COLUMN focus_author TEXT NOT NULL DEFAULT '{}';
ALTER TABLE evidence ADD COLUMN author TEXT NOT NULL DEFAULT '{}';
ALTER TABLE interjections ADD COLUMN author TEXT NOT NULL DEFAULT '{}';
