package engine

import (
	"context"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
)

// blockRequest is a request for the JSON block that a vote lacks. Its answer is read for
// the block alone.
type blockRequest struct {
	found debate.Statement
	note  string // what came of it
}

// Notes on a vote without a JSON block.
const (
	noteNotAsked = "its JSON block is missing"
	noteGiven    = "its JSON block was missing; asked again, it gave one"
	noteNotGiven = "its JSON block was missing; asked again, it gave none"
)

// maxBlockFailures is how many requests for a block a member leaves unanswered in a
// session before it is not asked any more.
const maxBlockFailures = 2

// askForBlock asks a voter whose statement has no readable JSON block for the block
// alone. The statement stands whatever comes of it; the error is the store's, or that of
// a turn that was ended meanwhile.
func (tr *turnRecorder) askForBlock(ctx context.Context, snap prompt.Snapshot, step debate.Step, statement debate.Statement) error {
	s := tr.current()
	if statement.HasBlock() || !verdict.IsVote(s, tr.response) {
		return nil
	}
	tr.block = &blockRequest{note: noteNotAsked}
	if !tr.AskAgain || blockFailures(s, tr.speaker.ID) >= maxBlockFailures {
		return nil
	}
	reply, err := tr.speak(ctx, prompt.Block(snap, step, tr.speaker, statement.Body).Messages(), nil)
	switch {
	case tr.storeErr != nil:
		return tr.storeErr
	case tr.final != nil: // nothing was sent: the budget does not allow it
		return nil
	case err != nil && ctx.Err() != nil:
		return err
	case err == nil:
		tr.block.found = debate.ParseStatement(reply.Text)
	}
	tr.block.note = noteNotGiven
	if tr.block.found.HasBlock() {
		tr.block.note = noteGiven
	}
	return nil
}

// blockFailures counts the requests for a block that a member left unanswered.
func blockFailures(s debate.Session, member agents.ID) int {
	n := 0
	for _, r := range s.History {
		for _, x := range r.AttemptsOf(member) {
			if slices.Contains(x.Statement.Notes, noteNotGiven) {
				n++
			}
		}
	}
	return n
}

// recordStatement records the completion that is the statement, before the block is asked
// for.
func (tr *turnRecorder) recordStatement(ctx context.Context) error {
	c := *tr.final
	tr.closePassage()
	tr.journal.drop(tr.response.Turn)
	tr.final = nil
	err := tr.Recorder.EndCall(ctx, tr.response.Turn, tr.completions, c, nil, tr.speaker.Cost(c.Usage))
	return tr.checkStore("record the statement", err)
}

// endBlockCall records the answer to a request for a block, which is no passage.
func (tr *turnRecorder) endBlockCall(ctx context.Context, c agents.Completion) error {
	c.Text, c.Reasoning = "", ""
	err := tr.Recorder.EndCall(ctx, tr.response.Turn, tr.completions, c, nil, tr.speaker.Cost(c.Usage))
	return tr.checkStore("record the answer to the request for a JSON block", err)
}

// fill returns a statement with the fields of the block.
func (b *blockRequest) fill(st debate.Statement) debate.Statement {
	if b == nil {
		return st
	}
	filled := b.found
	filled.Body = st.Body
	filled.Notes = slices.Concat(st.Notes, []string{b.note}, b.found.Notes)
	if b.note == noteNotAsked && len(st.Notes) > 0 { // they say more
		filled.Notes = st.Notes
	}
	return filled
}
