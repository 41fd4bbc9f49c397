package engine

import (
	"context"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/statement"
	"roundtable/debate/verdict"
)

// blockRequest is a request for the JSON block that a vote lacks, or for what its block
// has no answer to. The answer is read for the block alone.
type blockRequest struct {
	found   debate.Statement
	partial bool   // there is a block
	asked   bool   // it was sent
	note    string // what came of it
}

// Notes on a vote without a JSON block end so.
const (
	noteGiven    = "; asked again, it gave one"
	noteNotGiven = "; asked again, it gave none"
)

// maxBlockFailures is how many requests for a block a member leaves unanswered in a
// session before it is not asked any more.
const maxBlockFailures = 2

// askForBlock asks a voter whose statement has no readable JSON block, or one that does
// not say what its phase asks for, for the block alone. The statement stands whatever comes of it; the error is the store's, or that of
// a turn that was ended meanwhile.
func (tr *turnRecorder) askForBlock(ctx context.Context, snap prompt.Snapshot, step debate.Step, said debate.Statement) error {
	s := tr.current()
	if !verdict.IsVote(s, tr.response) || verdict.Answers(s, tr.response.Phase, said) {
		return nil
	}
	tr.block = &blockRequest{partial: said.HasBlock(), note: "its JSON block is missing"}
	what := "its JSON block was missing"
	if tr.block.partial {
		tr.block.note, what = "its JSON block lacks an answer", "its JSON block lacked an answer"
	}
	if !tr.AskAgain || blockFailures(s, tr.speaker.ID) >= maxBlockFailures {
		return nil
	}
	reply, err := tr.speak(ctx, snap.BlockRequest(step, tr.speaker, said.Body).Messages(), nil)
	switch {
	case tr.storeErr != nil:
		return tr.storeErr
	case tr.final != nil: // nothing was sent: the budget does not allow it
		return nil
	case err != nil && ctx.Err() != nil:
		return err
	case err == nil:
		tr.block.found = statement.Parse(reply.Text)
	}
	tr.block.asked, tr.block.note = true, what+noteNotGiven
	if verdict.Answers(s, tr.response.Phase, tr.block.found) {
		tr.block.note = what + noteGiven
	}
	return nil
}

// blockFailures counts the requests for a block that a member left unanswered.
func blockFailures(s debate.Session, member agents.ID) int {
	n := 0
	for _, r := range s.History {
		for _, x := range r.AttemptsOf(member) {
			if slices.ContainsFunc(x.Statement.Notes, func(n string) bool { return strings.HasSuffix(n, noteNotGiven) }) {
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
	if b.partial {
		filled = st.FilledFrom(b.found)
	}
	filled.Body = st.Body
	filled.Notes = slices.Concat(st.Notes, []string{b.note}, b.found.Notes)
	if !b.asked && len(st.Notes) > 0 { // they say more
		filled.Notes = st.Notes
	}
	return filled
}
