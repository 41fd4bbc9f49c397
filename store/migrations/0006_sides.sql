-- How the answers of a session are counted, and the side that each statement takes.
ALTER TABLE sessions ADD COLUMN question TEXT NOT NULL DEFAULT ''; -- kind of the question; '': not stored by earlier versions
ALTER TABLE turns ADD COLUMN side TEXT NOT NULL DEFAULT ''; -- '': none
