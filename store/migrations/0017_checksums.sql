-- The CRC-32C of what is said, computed when it is stored. NULL: it has none, since an
-- earlier version stored it, and nobody knows whether it still is what that version wrote.
ALTER TABLE turns ADD COLUMN checksum INTEGER; -- of the statement
ALTER TABLE passages ADD COLUMN checksum INTEGER; -- of the text and the reasoning
ALTER TABLE context_events ADD COLUMN checksum INTEGER; -- of the payload
