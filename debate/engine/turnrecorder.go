package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/prompt"
	"roundtable/debate/statement"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// turnRecorder turns the progress of a turn into records and events, records first.
type turnRecorder struct {
	*runner
	purpose       debate.Purpose
	schema        json.RawMessage // of the answer; may be nil
	speaker       agents.Profile
	question      string // of a follow-up
	response      debate.Response
	prompt        []agents.Message
	passage       debate.Passage  // the completion under way, once its text is complete
	text          strings.Builder // of the completion while it streams
	reasoning     strings.Builder
	final         *agents.Completion       // the completion without tool calls, until it is recorded
	completions   int                      // begun
	block         *blockRequest            // under way or done, or nil
	inputEstimate int                      // tokens of the request under way
	outputLimit   int                      // of the request under way; 0: none
	shown         []debate.Citation        // lines of evidence in the prompt; nil without evidence
	cut           *agents.PromptCut        // the worst one of its requests; nil: none
	toolsUnread   bool                     // an agent was offered tools and never read their list
	unread        string                   // a question that could not be read, as the speaker wrote it, or ""
	reserved      *amount                  // for the request under way, or nil
	tries         int                      // of the call under way, how often it was sent
	waits         bool                     // that call waits before it is sent again, or at all
	lost          agents.Usage             // by failed tries of the call under way
	answered      func(agents.Reply)       // is told the answer of an auxiliary turn before that ends; may be nil
	summary       *debate.StatementSummary // made by the turn; nil if that failed
	storeErr      error                    // ends the run
	onPlace       func(awaited bool)       // is told when the request waits for a place at the provider; may be nil
	again         *debate.DueTurn          // the attempt that follows by itself; nil if none does
}

// emit announces an event unless the speaker is the light model, which has no pane.
func (tr *turnRecorder) emit(ev debate.Event) {
	if tr.purpose != debate.ForLight {
		tr.runner.emit(ev)
	}
}

func (tr *turnRecorder) begin(ctx context.Context) error {
	tr.response.Began, tr.response.PromptVersion = tr.Now(), prompt.Version
	err := tr.Recorder.BeginTurn(context.WithoutCancel(ctx), debate.TurnStart{
		Response: tr.response, Purpose: tr.purpose, Question: tr.question,
	})
	if err != nil {
		return fmt.Errorf("begin the turn of %s: %w", tr.speaker.ID, err)
	}
	switch { // the attempts of the chair and of a comparison are numbered over the whole session
	case tr.purpose == debate.ForChair:
		tr.update(func(s debate.Session) debate.Session { s.ChairTurns++; return s })
		tr.emit(debate.Concluding{Turn: tr.response.Turn, Profile: tr.speaker, At: tr.response.Began})
	case tr.purpose == debate.ForFollowUp:
		tr.emit(debate.FollowUpStarted{Turn: tr.response.Turn, Profile: tr.speaker, Question: tr.question})
	case tr.purpose == debate.ForMember:
		tr.emit(debate.TurnStarted{Turn: tr.response.Turn, Profile: tr.speaker, Role: tr.response.Role, At: tr.response.Began})
	case tr.response.Turn.Step == debate.CompareStep: // a summary delays one seat at most, whose pane shows that
		tr.update(func(s debate.Session) debate.Session { s.LightAttempt = tr.response.Turn.Attempt; return s })
		tr.runner.emit(debate.Assisting{
			Task: debate.TaskCompare, Profile: tr.speaker, Limit: compareLimit(tr.speaker), At: tr.response.Began,
		})
	}
	return nil
}

// auxiliary returns the recorder of a turn that belongs to no step: of a chair, of the light model,
// or of who answers a follow-up question.
func (r *runner) auxiliary(purpose debate.Purpose, t agents.Turn, who agents.Profile) *turnRecorder {
	return &turnRecorder{
		runner: r, purpose: purpose, speaker: who, response: debate.Response{Turn: t, State: debate.TurnRunning},
	}
}

// play plays an auxiliary turn, which calls no tools. Why its speaker failed is in the response;
// the error is the store's.
func (tr *turnRecorder) play(ctx context.Context, msgs []agents.Message) (agents.Reply, error) {
	if err := tr.begin(ctx); err != nil {
		return agents.Reply{}, err
	}
	reply, err := tr.speak(ctx, msgs, nil)
	if err == nil && tr.answered != nil {
		tr.answered(reply)
	}
	if tr.storeErr != nil {
		return reply, tr.storeErr
	}
	tr.setResult(ctx, reply, err)
	return reply, tr.end(ctx)
}

func (tr *turnRecorder) placeAwaited(awaited bool) {
	if tr.onPlace != nil {
		tr.onPlace(awaited)
	}
}

func (tr *turnRecorder) observe(ctx context.Context, p agents.Progress) error {
	t := tr.response.Turn
	save := context.WithoutCancel(ctx) // record what has happened, even while stopping
	if tr.waits && underWay(p) {
		if err := tr.resent(save); err != nil {
			return err
		}
	}
	switch p := p.(type) {
	case agents.Sending:
		return tr.beginCall(ctx, p)
	case agents.Queued:
		if p.Waits {
			tr.placeAwaited(true)
		}
		tr.emit(debate.TurnQueued{Turn: t, Starting: p.Starting})
	case agents.Alive:
		if p.Placed {
			tr.placeAwaited(false)
		}
		tr.emit(debate.TurnAlive{Turn: t, Whole: p.Whole})
	case agents.Retry:
		if !p.Adapts && (t.Step == debate.SummaryStep || t.Step == debate.VerdictStep && tr.block != nil) { // it is not worth a retry
			return &agents.Failure{Kind: agents.KindBusy, Cause: p.Cause}
		}
		return tr.beginRetry(ctx, p)
	case agents.Text:
		return tr.addText(save, p)
	case agents.Completed:
		return tr.endCall(save, p)
	case agents.Broken:
		return tr.failCall(ctx, p)
	case agents.Called:
		return tr.addTool(save, p)
	case agents.ToolStarted:
		return tr.toolStarted(ctx, p)
	case agents.ToolDone:
		return tr.toolDone(save, p)
	}
	return nil
}

func (tr *turnRecorder) beginCall(ctx context.Context, p agents.Sending) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tr.placeAwaited(false) // a second request has the time of the first
	tr.inputEstimate, tr.outputLimit = p.Request.Tokens(), p.Request.MaxTokens
	if err := tr.reserve(ctx); err != nil {
		return err
	}
	save := context.WithoutCancel(ctx)
	if tr.block != nil && tr.final != nil {
		if err := tr.recordStatement(save); err != nil {
			return err
		}
	}
	tr.completions++
	defer tr.places.take()()
	err := tr.Recorder.BeginCall(save, tr.response.Turn, tr.purpose, tr.completions, p.Request)
	tr.response.Calls++
	tr.tries, tr.waits = 1, false
	return tr.checkStore("record a request", err)
}

// underWay reports whether an event is of a request that does not wait.
func underWay(p agents.Progress) bool {
	switch p := p.(type) {
	case agents.Queued:
		return !p.Waits
	case agents.Alive, agents.Text:
		return true
	default:
		return false
	}
}

func (tr *turnRecorder) resent(ctx context.Context) error {
	tr.tries, tr.waits = tr.tries+1, false
	return tr.checkStore("record a try", tr.Recorder.ResendCall(ctx, tr.response.Turn, tr.completions))
}

// checkStore remembers an error of the store, which ends the run and not only the seat.
func (tr *turnRecorder) checkStore(doing string, err error) error {
	if err != nil {
		tr.storeErr = fmt.Errorf("%s of %s: %w", doing, tr.speaker.ID, err)
	}
	return tr.storeErr
}

// addText records and announces a piece of text or reasoning. The answer to a request
// for a block is not a part of what is said.
func (tr *turnRecorder) addText(ctx context.Context, p agents.Text) error {
	if tr.block != nil {
		return nil
	}
	ev := debate.Text{Turn: tr.response.Turn, Passage: len(tr.response.Passages), Text: p.Text, Reasoning: p.Reasoning, Moves: p.Moves}
	switch {
	case p.Moves:
		return tr.moveText(ctx, ev)
	case p.Reasoning:
		tr.reasoning.WriteString(p.Text)
	default:
		tr.text.WriteString(p.Text)
	}
	tr.emit(ev)
	return tr.checkStore("keep the text", tr.journal.add(ev))
}

// moveText records that the text of the completion so far was reasoning, and announces it.
func (tr *turnRecorder) moveText(ctx context.Context, ev debate.Text) error {
	err := cmp.Or(tr.journal.add(ev), tr.journal.flush(ctx))
	if err := tr.checkStore("keep the text", err); err != nil {
		return err
	}
	ev.Text = tr.text.String()
	tr.reasoning.WriteString(ev.Text)
	tr.text.Reset()
	tr.emit(ev)
	return nil
}

func (tr *turnRecorder) endCall(ctx context.Context, p agents.Completed) error {
	c := p.Completion
	c.Usage = tr.closeCall(ctx, c.Usage)
	tr.cut = tr.cut.Worse(c.Cut)
	tr.toolsUnread = tr.toolsUnread || c.ToolsUnread
	if !c.Usage.Estimated && tr.purpose != debate.ForFollowUp { // it must not change how rounds are fitted
		n := debate.PromptCount{
			Turn: tr.response.Turn, Purpose: tr.purpose, Call: tr.completions, Estimate: tr.inputEstimate, Counted: c.Usage.Input,
			Cached: c.Usage.Cached, Server: tr.speaker.Provider,
		}
		tr.update(func(s debate.Session) debate.Session { return s.WithPromptCount(n) })
	}
	if tr.block != nil {
		return tr.endBlockCall(ctx, c)
	}
	tr.response.Finish = c.Finish
	tr.passage = debate.Passage{Text: c.Text, Reasoning: c.Reasoning}
	tr.text.Reset()
	tr.reasoning.Reset()
	if !p.More {
		tr.final = &c
		return nil
	}
	for i, call := range c.Calls {
		tr.passage.Tools = append(tr.passage.Tools, debate.ToolRecord{
			ID: p.IDs[i], Name: call.Name, Args: call.Args,
			State: debate.ToolPending,
		})
	}
	tr.journal.drop(tr.response.Turn)
	err := tr.Recorder.EndCall(ctx, tr.response.Turn, tr.completions, c, tr.passage.Tools, tr.speaker.Cost(c.Usage))
	tr.response.Passages = append(tr.response.Passages, tr.passage)
	called := tr.passage.Tools
	tr.passage = debate.Passage{}
	if err := tr.checkStore("record the tool calls", err); err != nil {
		return err
	}
	if len(called) > 0 {
		tr.emit(debate.ToolsCalled{Turn: tr.response.Turn, Tools: slices.Clone(called)})
	}
	return nil
}

func (tr *turnRecorder) failCall(ctx context.Context, p agents.Broken) error {
	f := p.Failure
	f.Tries = max(f.Tries, tr.tries)
	used := tr.closeCall(context.WithoutCancel(ctx), p.Usage)
	if why := interruption(ctx); why != nil {
		f = why
	}
	ctx = context.WithoutCancel(ctx)
	err := cmp.Or(tr.journal.flush(ctx), tr.Recorder.BreakCall(ctx, tr.response.Turn, tr.completions, f, used,
		tr.speaker.Cost(used)))
	return tr.checkStore("record a failed request", err)
}

// breakUnanswered records a request of which no more is heard, since whoever sent or read it
// panicked. What it took is an estimate. The error is the store's.
func (tr *turnRecorder) breakUnanswered(ctx context.Context, cause agents.Failure) error {
	if tr.tries == 0 && !tr.waits || tr.storeErr != nil {
		return nil
	}
	took := agents.Usage{}
	if thought := agents.Tokens(tr.reasoning.String()); !tr.waits {
		took = agents.Usage{
			Input: tr.inputEstimate, Output: thought + agents.Tokens(tr.text.String()), Reasoning: thought, Estimated: true,
		}
	}
	return tr.failCall(ctx, agents.Broken{Failure: &cause, Usage: took})
}

// markUnsaved marks a turn that the store did not accept. It is shown but not used: the
// turn starts again.
func (tr *turnRecorder) markUnsaved() {
	tr.closePassage()
	tr.response.State, tr.response.Statement, tr.response.Ended = debate.TurnInterrupted, debate.Statement{}, tr.Now()
	tr.response.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "It could not be saved."}
	if tr.purpose == debate.ForMember {
		tr.update(func(s debate.Session) debate.Session { return s.WithResponse(tr.response) })
	}
}

func (tr *turnRecorder) closePassage() {
	if tr.text.Len() > 0 || tr.reasoning.Len() > 0 {
		tr.passage.Text, tr.passage.Reasoning = tr.text.String(), tr.reasoning.String()
		tr.text.Reset()
		tr.reasoning.Reset()
	}
	if tr.passage.Text != "" || tr.passage.Reasoning != "" {
		tr.response.Passages = append(tr.response.Passages, tr.passage)
	}
	tr.passage = debate.Passage{}
}

// setResult sets the state, statement and failure of the turn.
func (tr *turnRecorder) setResult(ctx context.Context, reply agents.Reply, err error) {
	tr.closePassage()
	if err == nil {
		tr.response.State = debate.TurnDone
		tr.response.Statement = tr.block.fill(tr.statementOf(reply))
		tr.response.Statement.MarkCut(tr.cut)
		tr.response.Statement.Shown = tr.evidenceShown()
		for _, p := range tr.response.Passages {
			tr.response.Statement.Read = append(tr.response.Statement.Read, cite.Read(p.Tools)...)
		}
		if tr.toolsUnread {
			tr.response.Statement.AddNote("%s", debate.ToolsUnreadText("it"))
		}
		if tr.purpose == debate.ForMember {
			tr.ignoreLateFindings(ctx)
			tr.lookUp(ctx)
			verdict.CheckStatement(tr.current(), &tr.response)
		}
		return
	}
	tr.final = nil
	failure := interruption(ctx)
	if failure == nil && !errors.As(err, &failure) {
		failure = &agents.Failure{Kind: agents.KindInternal, Cause: err.Error()}
	}
	switch failure.Kind {
	case agents.KindCancelled:
		tr.response.State = debate.TurnCancelled
	case agents.KindInterrupted:
		tr.response.State = debate.TurnInterrupted
	default:
		tr.response.State = debate.TurnFailed
	}
	tr.response.Failure = &debate.TurnFailure{
		Kind: failure.Kind, Cause: failure.Cause, Remedy: failure.Remedy,
		Tries: failure.Tries,
	}
}

// ignoreLateFindings removes what a seat reports in the round of a review that only judges, with
// a notice.
func (tr *turnRecorder) ignoreLateFindings(ctx context.Context) {
	st := &tr.response.Statement
	n, round := len(st.Findings), tr.response.Turn.Round
	if !tr.current().Mode.Reviews() || round < debate.ReviewRounds {
		return
	}
	if st.Findings = nil; n > 0 {
		tr.note(ctx, debate.Notice{
			Code: "late_findings", Agent: tr.speaker.ID, Round: round,
			Text: fmt.Sprintf("%s reports %s in round %d, in which findings are only judged; %s ignored.", tr.speaker.Name,
				text.Count(n, "finding"), round, text.Inflect(n, "it is", "they are")),
		})
	}
}

func (tr *turnRecorder) lookUp(ctx context.Context) {
	st := &tr.response.Statement
	w, err := tr.openWorkspaces(ctx)
	if err != nil || w == nil || len(st.Findings) == 0 {
		return
	}
	st.Named = []debate.FileLines{}
	for _, path := range verdict.NamedFiles(*st) {
		if n, hash, err := w.Lines(ctx, path); err == nil { // a file that cannot be read has no lines
			st.Named = append(st.Named, debate.FileLines{Path: path, From: 1, To: n, Hash: hash})
		}
	}
}

// evidenceShown returns the lines of evidence that the speaker was shown: in the prompt, and
// in results of tools. It is nil if there was no evidence.
func (tr *turnRecorder) evidenceShown() []debate.Citation {
	if tr.shown == nil {
		return nil
	}
	out := slices.Clone(tr.shown)
	for _, p := range tr.response.Passages {
		for _, call := range p.Tools {
			for _, l := range tools.ShownLines(call.Name, call.Args, call.Result.Text) {
				out = append(out, debate.Citation{ID: l.ID, From: l.From, To: l.To})
			}
		}
	}
	return debate.MergeCitations(out)
}

// interruption returns the failure of a turn that the user, a time limit or the end of the run
// ended, nil if none did.
func interruption(ctx context.Context) *agents.Failure {
	var f *agents.Failure
	switch {
	case errors.As(context.Cause(ctx), &f):
		return f
	case ctx.Err() != nil:
		return &agents.Failure{Kind: agents.KindInterrupted, Cause: "The round was stopped."}
	}
	return nil
}

func (tr *turnRecorder) addTo(s debate.Session) debate.Session {
	switch tr.purpose {
	case debate.ForMember:
		if s = s.WithResponse(tr.response); tr.again != nil {
			s = s.WithDue(*tr.again)
		}
		return s
	case debate.ForFollowUp:
		s.FollowUps = append(slices.Clip(s.FollowUps), tr.followUp())
	case debate.ForChair, debate.ForLight:
	}
	return s.WithAuxiliaryTurn(tr.purpose, tr.response)
}

func (tr *turnRecorder) end(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	tr.commitReservation(ctx, agents.Usage{}) // of a request that was not sent
	tr.response.Ended = tr.Now()
	tr.response.Cost = tr.speaker.Cost(tr.response.Usage)
	e := debate.TurnEnd{Response: tr.response, Purpose: tr.purpose, Final: tr.final, Summary: tr.summary, Again: tr.again}
	if tr.final != nil {
		tr.journal.drop(tr.response.Turn)
		e.FinalCost = tr.speaker.Cost(tr.final.Usage)
	} else if err := tr.journal.flush(ctx); err != nil {
		tr.markUnsaved()
		return err
	}
	changed, err := tr.Recorder.EndTurn(ctx, e)
	if err != nil {
		tr.markUnsaved()
		return fmt.Errorf("record the turn of %s: %w", tr.speaker.ID, err)
	}
	tr.update(tr.addTo)
	if tr.purpose == debate.ForFollowUp {
		tr.emit(debate.FollowUpEnded{FollowUp: tr.followUp(), At: tr.response.Ended})
	} else {
		tr.emit(debate.TurnEnded{Response: tr.response, Again: tr.again != nil, At: tr.response.Ended})
	}
	tr.noteProblems(ctx)
	for _, r := range changed {
		tr.update(func(s debate.Session) debate.Session { return s.WithRequest(r) })
		tr.emit(debate.ContextChanged{Request: r, At: tr.Now()})
	}
	return nil
}

// blockRequest is a request for the JSON block that a vote lacks, or for what its block
// has no answer to. The answer is read for the block alone.
type blockRequest struct {
	found   debate.Statement
	partial bool   // there is a block
	asked   bool   // it was sent
	note    string // what came of it
}

const blockOutput = 500 // tokens of the text that is wanted

// askForBlock asks a voter whose statement has no readable JSON block, or one that does
// not say what its phase asks for, for the block alone. The statement counts in any case;
// the error is the store's, or that of a turn that was ended meanwhile.
func (tr *turnRecorder) askForBlock(ctx context.Context, snap prompt.Snapshot, step debate.Step, kit agents.Toolkit,
	said debate.Statement,
) error {
	s := tr.current()
	if !verdict.IsVote(s, tr.response) && !s.Mode.Reviews() && !s.Mode.Critiques() || verdict.Answers(s, tr.response.Phase, said) {
		return nil
	}
	tr.block = &blockRequest{partial: said.HasBlock(), note: "its summary was missing"}
	if tr.block.partial {
		tr.block.note = "its summary lacked an answer"
	}
	if !tr.AskForBlock {
		return nil
	}
	reply, err := tr.speak(ctx, snap.BlockRequest(step, tr.speaker, said.Body).Messages(), kit)
	switch {
	case tr.storeErr != nil:
		return tr.storeErr
	case tr.final != nil: // nothing was sent: the budget does not allow it
		return nil
	case err != nil && ctx.Err() != nil:
		return err
	case err == nil:
		tr.block.found = statement.Parse(reply.Text)
	default:
		if failed, ok := errors.AsType[*agents.Failure](err); ok && failed.Kind == agents.KindEmpty {
			tr.block.found.AddNote("%s", strings.TrimSuffix(failed.Error(), "."))
		}
	}
	tr.block.asked = true
	if verdict.Answers(s, tr.response.Phase, tr.block.found) {
		tr.block.note += "; asked again, it gave one"
	} else {
		tr.block.note += "; asked again, it gave none"
	}
	return nil
}

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
	return tr.checkStore("record the answer to the request for a summary", err)
}

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
