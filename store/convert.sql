-- Steps of the conversion from schema 25, whose tables have a prefix. iso(x) is a time as JSON has it.

UPDATE sessions SET (round, round_ended, required, optional, asking, cost, tokens, concluded, reported, brief, side, settled,
  outline) = (SELECT round, round_ended, required, optional, asking, cost, tokens, concluded,
  concluded AND outcome <> 'no_synthesis', brief, side, settled, outline FROM old_sessions o WHERE o.id = sessions.id);
INSERT INTO rounds SELECT session, number, ended, json_object('Manifest', json(manifest), 'Hash', hash, 'Began', iso(began),
  'Same', consensus -> '$.same_findings') FROM old_rounds;
INSERT INTO tool_calls SELECT turn, id, passage, place, json_object('ID', id, 'Name', name, 'Args', args,
  'Own', json(iif(own, 'true', 'false')), 'State', state, 'Began', iso(began), 'Took', took,
  'Result', json_object('status', status, 'summary', summary)), result FROM old_tool_calls;
INSERT INTO passages SELECT turn, n, reasoning, text FROM old_passages WHERE turn IN (SELECT id FROM turns WHERE state = 'running');
INSERT INTO partials SELECT id, turn, passage, reasoning, at, text FROM old_partials
  WHERE turn IN (SELECT id FROM turns WHERE state = 'running');
INSERT INTO context_events SELECT session, seq, request, type, actor, round, step, attempt, call, at, payload FROM old_context_events;
INSERT INTO evidence_texts SELECT hash, text FROM old_evidence_texts;
INSERT INTO new_debate SELECT id, at, text FROM old_new_debate;
INSERT INTO tool_definitions SELECT server, tool, hash, text, approved FROM old_tool_definitions;
INSERT INTO documents (session, kind, key, round, body) SELECT id, 'focus', '', 0, json_object('Text', focus,
  'Author', json(focus_author)) FROM old_sessions WHERE focus <> '';
INSERT INTO documents (session, kind, key, round, body) SELECT session, 'draft', request, 0, json_object('Request', request, 'Text', text,
  'Source', source, 'Unavailable', json(iif(unavailable, 'true', 'false')), 'Other', other,
  'At', iso(at)) FROM old_context_drafts;
INSERT INTO documents (session, kind, key, round, body) SELECT session, 'interjection', '', 0, json_object('n', n, 'agent', agent,
  'text', text, 'by', json(author), 'at', iso(at)) FROM old_interjections ORDER BY session, n;
INSERT INTO documents (session, kind, key, round, body) SELECT session, 'seat_change', '', round, json_object('round', round, 'agent', agent,
  'was', json(was), 'now', json(now), 'at', iso(at)) FROM old_seat_changes ORDER BY id;
INSERT INTO documents (session, kind, key, round, body) SELECT session, 'summary', format('%s %s %d %s', response, hash, version, model),
  round, json_object('response', response, 'hash', hash, 'model', model, 'version', version, 'text', text, 'from', from_size,
  'to', to_size, 'at', iso(at)) FROM old_digests ORDER BY id;
INSERT INTO documents (session, kind, key, round, body) SELECT session, 'evidence', hash, 0, json_object('id', 'F' || n, 'name', name,
  'kind', kind, 'size', size, 'sha256', hash, 'note', note, 'by', json(author), 'added', iso(added))
  FROM old_evidence ORDER BY session, n;
INSERT INTO documents (session, kind, key, round, body) SELECT session, 'notice', '', round, json_object('code', code, 'text', text,
  'agent', agent, 'round', round, 'at', iso(at)) FROM old_notices ORDER BY id;
INSERT INTO documents (session, kind, key, round, body) SELECT session, 'settlement', '', rounds, body FROM old_settlements ORDER BY id;
INSERT INTO documents (session, kind, key, round, body) SELECT session, iif(superseded IS NULL, 'verdict', 'superseded'), '',
  coalesce(body ->> '$.round', 0), body FROM old_verdicts ORDER BY id;
INSERT INTO texts (session, kind, round, agent, request, source, folded) SELECT session, kind, round, agent, request,
  coalesce(CASE kind
  WHEN 'answer' THEN (SELECT max(seq) FROM context_events e WHERE e.session = o.session AND e.request = o.request
  AND e.type = 'answer' AND e.payload ->> '$.content' = o.body)
  WHEN 'verdict' THEN (SELECT max(id) FROM documents d WHERE d.session = o.session AND d.kind = 'verdict')
  ELSE (SELECT id FROM documents d WHERE d.session = o.session AND d.kind = 'evidence' AND d.body ->> '$.id' = o.request)
  END, 0), folded
  FROM old_texts o WHERE kind IN ('answer', 'verdict', 'evidence') ORDER BY id;

DROP TABLE old_tool_calls;
DROP TABLE old_passages;
DROP TABLE old_partials;
DROP TABLE old_followups;
DROP TABLE old_calls;
DROP TABLE old_parts;
DROP TABLE old_turns;
DROP TABLE old_rounds;
DROP TABLE old_context_events;
DROP TABLE old_context_drafts;
DROP TABLE old_interjections;
DROP TABLE old_seat_changes;
DROP TABLE old_digests;
DROP TABLE old_evidence;
DROP TABLE old_evidence_texts;
DROP TABLE old_notices;
DROP TABLE old_settlements;
DROP TABLE old_verdicts;
DROP TABLE old_texts;
DROP TABLE old_new_debate;
DROP TABLE old_tool_definitions
