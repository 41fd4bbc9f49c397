package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// announceTask announces what the round waits for. A summary holds up one seat at most,
// whose pane shows that.
func (w *turnRecorder) announceTask() {
	ev := debate.Assisting{Profile: w.speaker, Round: w.response.Turn.Round, At: w.response.Began}
	switch w.response.Turn.Step {
	case debate.ListsStep:
		ev.Task, ev.Lists, ev.Limit = debate.TaskLists, w.current().Mode.UnfilledLists(), listsTimeout
	case debate.AnalysisStep:
		ev.Task, ev.Limit = debate.TaskAnalysis, analysisTimeout
	default:
		return
	}
	w.runner.emit(ev)
}

// turnRecorder turns the progress of one turn into records and events, records first.
type turnRecorder struct {
	*runner
	purpose       debate.Purpose
	speaker       agents.Profile
	response      debate.Response
	passage       debate.Passage  // the completion under way, once its text is whole
	text          strings.Builder // and until then, as it comes
	reasoning     strings.Builder
	final         *agents.Completion       // the one without tool calls
	inputEstimate int                      // tokens that the request under way is estimated to be,
	reserved      *amount                  // and what it may take; nil: none is under way
	summary       *debate.StatementSummary // that the turn was for, if it came about
	storeErr      error                    // of the store
}

// emit announces what is for the panes: not what the light model does.
func (w *turnRecorder) emit(ev debate.Event) {
	if w.purpose != debate.ForLight {
		w.runner.emit(ev)
	}
}

func (w *turnRecorder) begin(ctx context.Context) error {
	w.response.Began = w.Now()
	err := w.Recorder.BeginTurn(context.WithoutCancel(ctx), debate.TurnStart{
		Turn: w.response.Turn, Purpose: w.purpose, Role: w.response.Role, Phase: w.response.Phase,
		SnapshotHash: w.response.SnapshotHash, SeenResponses: w.response.SeenResponses, ContextFit: w.response.ContextFit, At: w.response.Began,
	})
	if err != nil {
		return fmt.Errorf("begin the turn of %s: %w", w.speaker.ID, err)
	}
	switch {
	case w.purpose == debate.ForChair:
		w.emit(debate.Concluding{Turn: w.response.Turn, Profile: w.speaker, At: w.response.Began})
	case w.purpose == debate.ForMember:
		w.emit(debate.TurnStarted{Turn: w.response.Turn, Profile: w.speaker, Role: w.response.Role, ContextFit: w.response.ContextFit, At: w.response.Began})
	default:
		w.announceTask()
	}
	return nil
}

// observe records a moment of the turn and announces it.
func (w *turnRecorder) observe(ctx context.Context, p agents.Progress) error {
	t := w.response.Turn
	save := context.WithoutCancel(ctx) // what has happened is kept, also while stopping
	switch p := p.(type) {
	case agents.Sending:
		return w.beginCall(ctx, p)
	case agents.Queued:
		w.emit(debate.TurnQueued{Turn: t})
	case agents.Retrying:
		w.emit(debate.TurnRetrying{Turn: t, Retry: p.Retry, At: w.Now()})
		if t.Step == debate.SummaryStep || t.Step == debate.ListsStep { // a summary is worth one try
			return &agents.Failure{Kind: agents.KindBusy, Cause: p.Retry.Cause}
		}
		return w.extendReservation(p.Retry)
	case agents.Text:
		w.text.WriteString(p.Text)
		return w.addText(debate.Text{Turn: t, Passage: len(w.response.Passages), Text: p.Text})
	case agents.Reasoning:
		w.reasoning.WriteString(p.Text)
		return w.addText(debate.Text{Turn: t, Passage: len(w.response.Passages), Text: p.Text, Reasoning: true})
	case agents.Completed:
		return w.endCall(save, p)
	case agents.Broken:
		return w.failCall(ctx, p)
	case agents.ToolStarted:
		return w.toolStarted(ctx, p)
	case agents.ToolDone:
		return w.toolDone(save, p)
	}
	return nil
}

// beginCall records a request. What has not begun does not begin while stopping.
func (w *turnRecorder) beginCall(ctx context.Context, p agents.Sending) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.inputEstimate = p.Request.Tokens()
	if err := w.reserve(ctx); err != nil {
		return err
	}
	err := w.Recorder.BeginCall(context.WithoutCancel(ctx), w.response.Turn, w.purpose, p.N, p.Request)
	w.response.Calls++
	return w.checkStore("record a request", err)
}

// checkStore remembers an error of the store, which ends the run and not the seat alone.
func (w *turnRecorder) checkStore(doing string, err error) error {
	if err != nil {
		w.storeErr = fmt.Errorf("%s of %s: %w", doing, w.speaker.ID, err)
	}
	return w.storeErr
}

func (w *turnRecorder) addText(ev debate.Text) error {
	w.emit(ev)
	return w.checkStore("keep the text", w.journal.add(debate.PartialText(ev)))
}

func (w *turnRecorder) endCall(ctx context.Context, p agents.Completed) error {
	c := p.Completion
	w.response.Usage = w.response.Usage.Add(c.Usage)
	w.response.Calls += max(1, c.Tries) - 1
	w.response.Finish = c.Finish
	w.commitReservation(ctx, c.Usage)
	if !c.Usage.Estimated && c.Tries <= 1 {
		w.response.EstimatedInput += w.inputEstimate
	}
	w.passage = debate.Passage{Text: c.Text, Reasoning: c.Reasoning}
	w.text.Reset()
	w.reasoning.Reset()
	if !p.More {
		w.final = &c
		return nil
	}
	for i, call := range c.Calls {
		w.passage.Tools = append(w.passage.Tools, debate.ToolRecord{ID: p.IDs[i], Name: call.Name, Args: call.Args, State: debate.ToolPending})
	}
	w.journal.drop(w.response.Turn)
	err := w.Recorder.EndCall(ctx, w.response.Turn, p.N, c, w.passage.Tools, w.speaker.Cost(c.Usage))
	w.response.Passages = append(w.response.Passages, w.passage)
	w.passage = debate.Passage{}
	return w.checkStore("record the tool calls", err)
}

// failCall records a completion that came to nothing, and what it took.
func (w *turnRecorder) failCall(ctx context.Context, p agents.Broken) error {
	f := p.Failure
	w.response.Usage = w.response.Usage.Add(p.Usage)
	w.response.Calls += max(1, f.Tries) - 1
	w.commitReservation(context.WithoutCancel(ctx), p.Usage)
	if why := interruption(ctx); why != nil {
		f = why
	}
	ctx = context.WithoutCancel(ctx)
	err := errors.Join(w.journal.flush(ctx), w.Recorder.BreakCall(ctx, w.response.Turn, p.N, f, p.Usage, w.speaker.Cost(p.Usage)))
	return w.checkStore("record a failed request", err)
}

// toolRecord returns the record of a call of the last passage.
func (w *turnRecorder) toolRecord(id string) *debate.ToolRecord {
	for i := range w.response.Passages {
		for j := range w.response.Passages[i].Tools {
			if t := &w.response.Passages[i].Tools[j]; t.ID == id {
				return t
			}
		}
	}
	return &debate.ToolRecord{ID: id}
}

func (w *turnRecorder) toolStarted(ctx context.Context, p agents.ToolStarted) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t := w.toolRecord(p.ID)
	t.State, t.Began = debate.ToolRunning, w.Now()
	if err := w.checkStore("record a tool's start", w.Recorder.StartTool(context.WithoutCancel(ctx), w.response.Turn, t.ID, t.Began)); err != nil {
		return err
	}
	w.emit(debate.ToolStarted{Turn: w.response.Turn, Tool: *t, At: t.Began})
	return nil
}

func (w *turnRecorder) toolDone(ctx context.Context, p agents.ToolDone) error {
	t := w.toolRecord(p.ID)
	t.State, t.Result, t.Took = debate.ToolDone, p.Result, p.Took
	if err := w.checkStore("record a tool's result", w.Recorder.EndTool(ctx, w.response.Turn, *t)); err != nil {
		return err
	}
	w.emit(debate.ToolEnded{Turn: w.response.Turn, Tool: *t, At: w.Now()})
	return nil
}

// markUnsaved keeps what came of a turn that the store did not take. It is shown and
// leads to nothing: the turn starts again.
func (w *turnRecorder) markUnsaved() {
	w.closePassage()
	w.response.State, w.response.Statement, w.response.Ended = debate.TurnInterrupted, debate.Statement{}, w.Now()
	w.response.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "It could not be saved.", Retryable: true}
	if w.purpose == debate.ForMember {
		w.update(func(s debate.Session) debate.Session { return s.WithResponse(w.response) })
	}
}

// closePassage adds the completion under way to what was said.
func (w *turnRecorder) closePassage() {
	if w.text.Len() > 0 || w.reasoning.Len() > 0 {
		w.passage.Text, w.passage.Reasoning = w.text.String(), w.reasoning.String()
		w.text.Reset()
		w.reasoning.Reset()
	}
	if w.passage.Text != "" || w.passage.Reasoning != "" {
		w.response.Passages = append(w.response.Passages, w.passage)
	}
	w.passage = debate.Passage{}
}

// setResult decides how the turn has ended.
func (w *turnRecorder) setResult(ctx context.Context, reply agents.Reply, err error) {
	w.closePassage()
	if err == nil {
		w.response.State = debate.TurnDone
		w.response.Statement = debate.ParseStatement(reply.Text)
		if w.purpose == debate.ForMember {
			verdict.CheckStatement(w.current(), &w.response)
		}
		return
	}
	w.final = nil
	failure := interruption(ctx)
	if failure == nil && !errors.As(err, &failure) {
		failure = &agents.Failure{Kind: agents.KindInternal, Cause: err.Error()}
	}
	switch failure.Kind {
	case agents.KindCancelled:
		w.response.State = debate.TurnCancelled
	case agents.KindInterrupted:
		w.response.State = debate.TurnInterrupted
	default:
		w.response.State = debate.TurnFailed
	}
	w.response.Failure = &debate.TurnFailure{Kind: failure.Kind, Cause: failure.Cause, Remedy: failure.Remedy, Retryable: failure.Retryable, Tries: failure.Tries}
}

// interruption returns why the user, or the end of the run, ended a turn; nil if neither did.
func interruption(ctx context.Context) *agents.Failure {
	switch {
	case errors.Is(context.Cause(ctx), errCancelled):
		return &agents.Failure{Kind: agents.KindCancelled, Cause: "Cancelled by you.", Retryable: true}
	case ctx.Err() != nil:
		return &agents.Failure{Kind: agents.KindInterrupted, Cause: "The round was stopped.", Retryable: true}
	}
	return nil
}

// end records the end of the turn and announces it.
func (w *turnRecorder) end(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	w.commitReservation(ctx, agents.Usage{}) // of a request that was not sent after all
	w.response.Ended = w.Now()
	w.response.Cost = w.speaker.Cost(w.response.Usage)
	e := debate.TurnEnd{Response: w.response, Purpose: w.purpose, Final: w.final, Summary: w.summary}
	if w.final != nil {
		w.journal.drop(w.response.Turn)
		e.FinalCost = w.speaker.Cost(w.final.Usage)
	} else if err := w.journal.flush(ctx); err != nil {
		w.markUnsaved()
		return err
	}
	changed, err := w.Recorder.EndTurn(ctx, e)
	if err != nil {
		w.markUnsaved()
		return fmt.Errorf("record the turn of %s: %w", w.speaker.ID, err)
	}
	if w.purpose != debate.ForMember {
		w.update(func(s debate.Session) debate.Session { return s.WithAuxiliaryTurn(w.purpose, w.response) })
	} else {
		w.update(func(s debate.Session) debate.Session { return s.WithResponse(w.response) })
	}
	w.emit(debate.TurnEnded{Response: w.response, At: w.response.Ended})
	if w.response.Statement.RoleBreach != "" {
		w.mustRecordNotices(ctx, debate.Notice{
			Code: "role", Agent: w.speaker.ID, Round: w.response.Turn.Round,
			Text: fmt.Sprintf("%s breaks its role in round %d: %s. It stands as it was said.", w.speaker.Name, w.response.Turn.Round, w.response.Statement.RoleBreach),
		})
	}
	for _, n := range w.newProviderNotices(w.speaker, w.response.Turn.Round) {
		if err := w.Recorder.Note(ctx, w.response.Turn.Session, n); err != nil {
			return fmt.Errorf("record a notice: %w", err)
		}
		w.emit(debate.Noticed{Notice: n})
	}
	for _, r := range changed {
		w.update(func(s debate.Session) debate.Session { return s.WithRequest(r) })
		w.emit(debate.ContextChanged{Request: r, At: w.Now()})
	}
	return nil
}
