-- Turns that a fork was begun with, which are not a part of what it costs.
ALTER TABLE turns ADD COLUMN inherited INTEGER NOT NULL DEFAULT 0;
UPDATE turns SET inherited = 1 WHERE step >= 0 AND round <= (SELECT fork_round FROM sessions
  WHERE sessions.id = turns.session AND forked_from <> '');
UPDATE sessions SET (cost, tokens) = (SELECT CASE WHEN count(*) = count(c.cost) THEN coalesce(sum(c.cost), 0) END,
    coalesce(sum(c.input + c.output), 0)
  FROM turns t JOIN calls c ON c.turn = t.id WHERE t.session = sessions.id AND NOT t.inherited
    AND (c.state IN ('done', 'broken') OR c.input + c.output > 0))
  WHERE forked_from <> '';
