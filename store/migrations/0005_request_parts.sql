-- The requests of calls, in parts that are stored once. The request of a call is
-- the first parts of the call that it continues and, from there on, its own. Calls
-- of before have the whole request in their column request instead.
CREATE TABLE parts (
  id    INTEGER PRIMARY KEY,
  hash  INTEGER NOT NULL, -- of title and text, for finding a part
  title TEXT,             -- '': goes on in the same titled part; NULL: JSON around the texts
  text  TEXT NOT NULL     -- with U+001A in place of the call's mark
) STRICT;
CREATE INDEX parts_hash ON parts(hash);

ALTER TABLE calls ADD COLUMN continues INTEGER; -- id of an earlier call; NULL: none
ALTER TABLE calls ADD COLUMN shared INTEGER NOT NULL DEFAULT 0; -- how many of its first parts are also the first of this one
ALTER TABLE calls ADD COLUMN parts TEXT NOT NULL DEFAULT '[]'; -- the ids of all that follow, as JSON
ALTER TABLE calls ADD COLUMN mark TEXT NOT NULL DEFAULT ''; -- the mark of the fences in its texts
