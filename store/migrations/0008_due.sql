-- What a seat still has to do is a turn in state due. It has no began, and due is
-- from when it may begin.
ALTER TABLE turns ADD COLUMN due INTEGER;
CREATE INDEX turns_due ON turns(session) WHERE state = 'due';
