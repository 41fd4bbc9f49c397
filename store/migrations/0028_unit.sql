-- The unit of a question for a number; '' for a bare count and for all other questions.
ALTER TABLE sessions ADD COLUMN unit TEXT NOT NULL DEFAULT '';
UPDATE sessions SET unit = coalesce((SELECT statement ->> '$.estimate.unit' FROM turns
  WHERE turns.session = sessions.id AND statement ->> '$.estimate.unit' IS NOT NULL ORDER BY turns.id LIMIT 1), '')
WHERE question = 'estimate';

-- A statement has one vote: what it has in the member of its kind of question.
UPDATE turns SET checksum = NULL, statement = json_remove(json_patch(statement, json_object(
    'vote', coalesce(
      iif(statement ->> '$.estimate.value' IS NULL, NULL,
        trim(format('%s %s', statement ->> '$.estimate.value', coalesce(statement ->> '$.estimate.unit', '')))),
      statement ->> '$.choice', replace(statement ->> '$.stance', 'neutral', 'undecided')),
    'low', statement ->> '$.estimate.low', 'high', statement ->> '$.estimate.high')),
  '$.stance', '$.choice', '$.estimate', '$.ambiguous_estimate')
WHERE coalesce(statement ->> '$.stance', statement ->> '$.choice', statement ->> '$.estimate') IS NOT NULL;
