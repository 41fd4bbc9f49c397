package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/crash"
)

// assists announces what the round waits for. A summary holds up one seat at most,
// whose pane shows that.
func (w *turnRecorder) assists() {
	ev := debate.Assisting{Profile: w.who, Round: w.response.Turn.Round, At: w.response.Began}
	switch w.response.Turn.Step {
	case debate.FillStep:
		ev.Work, ev.Lists, ev.Limit = debate.NamesLists, w.current().Mode.UnfilledLists(), fillTimeout
	case debate.AnalysisStep:
		ev.Work, ev.Limit = debate.Measures, analysisTimeout
	default:
		return
	}
	w.runner.emit(ev)
}

// turn plays one attempt of one seat and records it. A failure of the speaker is
// in the response; the error is the store's. Step is the context of the whole step.
func (st *stepRunner) turn(ctx, step context.Context, t agents.Turn, before debate.Response) (o outcome) {
	o.response.Turn = t
	defer crash.Catch(&o.err)
	who, n := st.snap.Profile(t.Agent)
	who = st.current().Speaker(who)
	role, _ := st.snap.Mode.RoleOf(n, len(st.snap.Seats))
	snap, fitting := st.fitted(ctx, step, who, before)
	w := &turnRecorder{runner: st.runner, purpose: debate.ForMember, who: who, response: debate.Response{
		Turn: t, State: debate.TurnRunning, Role: role.Name, Phase: st.step.Phase, Snapshot: snap.Hash, Saw: snap.Saw(), Fitting: fitting,
	}}
	save := ctx
	if errors.Is(context.Cause(ctx), errCancelled) { // before it could begin
		save = context.WithoutCancel(ctx)
	}
	if err := w.begin(save); err != nil {
		return outcome{response: w.response, err: err}
	}
	reply, err := agents.Reply{}, ctx.Err()
	if err == nil {
		reply, err = w.speak(ctx, prompt.Member(snap.Mode, snap, st.step, who).Messages(), masked{st.kit, snap.Anonymizer})
	}
	if w.err != nil {
		w.unsaved()
		return outcome{response: w.response, err: w.err}
	}
	w.settle(ctx, reply, err)
	o.err = w.end(ctx)
	o.response = w.response
	var failed *agents.SpeakError
	if errors.As(err, &failed) && w.response.State == debate.TurnFailed {
		o.again = failed.Again
	}
	return o
}

// fitted fits the prompt of a seat. An attempt after one that has sent something
// sends the same, unless that was too long for its model: then it sends less.
func (st *stepRunner) fitted(ctx, step context.Context, who agents.Profile, before debate.Response) (prompt.Snapshot, *debate.ContextFit) {
	s, f := st.current(), before.Fitting
	if before.Sent == 0 || prompt.TooLong(before) {
		_, seat := st.snap.Profile(who.ID)
		r := prompt.Reader{
			Snap: st.snap.For(st.step, who.ID), Place: st.snap.Fence(st.step, seat), Self: who.ID, Newest: st.snap.Round - 1,
			Build: func(n prompt.Snapshot) prompt.Prompt { return prompt.Member(n.Mode, n, st.step, who) },
			Limit: s.PromptLimit(who, st.snap.Round), Tools: agents.ToolTokens(st.kit.Specs()),
		}
		if prompt.TooLong(before) {
			r = r.Smaller(f, prompt.SummariesByKey(s))
		}
		f = st.short.fit(ctx, step, r)
		s = st.current()
	}
	snap := st.snap.For(st.step, who.ID)
	if f == nil {
		return snap, nil
	}
	return snap.Fitted(f.Copies, prompt.SummariesByKey(s)), f
}

// speak plays the turn; whatever panics in it is the turn's own failure.
func (w *turnRecorder) speak(ctx context.Context, msgs []agents.Message, kit agents.Toolkit) (reply agents.Reply, err error) {
	defer func() {
		if p := crash.From(recover()); p != nil {
			w.defect(p)
			f := &agents.Failure{Kind: agents.KindInternal, Cause: fmt.Sprintf("Roundtable failed inside: %s at %s.", p.What, p.Where), Retryable: true, Err: p}
			err = &agents.SpeakError{Speaker: w.who, Failure: f}
		}
	}()
	client, err := w.Provider(w.who)
	if err != nil {
		var f *agents.Failure
		if !errors.As(err, &f) {
			f = &agents.Failure{Kind: agents.KindConfig, Cause: err.Error(), Err: err}
		}
		return reply, &agents.SpeakError{Speaker: w.who, Failure: f}
	}
	agent := agents.Agent{Profile: w.who, Client: client}
	return agent.Speak(ctx, w.response.Turn, msgs, kit, func(p agents.Progress) error { return w.observe(ctx, p) })
}

// turnRecorder turns the progress of one turn into records and events, records first.
type turnRecorder struct {
	*runner
	purpose  debate.Purpose
	who      agents.Profile
	response debate.Response
	passage  debate.Passage  // the completion under way, once its text is whole
	text     strings.Builder // and until then, as it comes
	thoughts strings.Builder
	final    *agents.Completion       // the one without tool calls
	reads    int                      // tokens that the request under way is estimated to be,
	held     *money                   // and what it may take; nil: none is under way
	digest   *debate.StatementSummary // that the turn was for, if it came about
	err      error                    // of the store
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
		Snapshot: w.response.Snapshot, Saw: w.response.Saw, Fitting: w.response.Fitting, At: w.response.Began,
	})
	if err != nil {
		return fmt.Errorf("begin the turn of %s: %w", w.who.ID, err)
	}
	switch {
	case w.purpose == debate.ForChair:
		w.emit(debate.Concluding{Turn: w.response.Turn, Profile: w.who, At: w.response.Began})
	case w.purpose == debate.ForMember:
		w.emit(debate.TurnStarted{Turn: w.response.Turn, Profile: w.who, Role: w.response.Role, Fitting: w.response.Fitting, At: w.response.Began})
	default:
		w.assists()
	}
	return nil
}

// observe records a moment of the turn and announces it.
func (w *turnRecorder) observe(ctx context.Context, p agents.Progress) error {
	t := w.response.Turn
	save := context.WithoutCancel(ctx) // what has happened is kept, also while stopping
	switch p := p.(type) {
	case agents.Sending:
		return w.sending(ctx, p)
	case agents.Queued:
		w.emit(debate.TurnQueued{Turn: t})
	case agents.Retrying:
		w.emit(debate.TurnRetrying{Turn: t, Retry: p.Retry, At: w.Now()})
		if t.Step == debate.LightStep || t.Step == debate.FillStep { // a summary is worth one try
			return &agents.Failure{Kind: agents.KindBusy, Cause: p.Retry.Cause}
		}
		return w.again(p.Retry)
	case agents.Text:
		w.text.WriteString(p.Text)
		return w.piece(debate.Text{Turn: t, Passage: len(w.response.Passages), Text: p.Text})
	case agents.Reasoning:
		w.thoughts.WriteString(p.Text)
		return w.piece(debate.Text{Turn: t, Passage: len(w.response.Passages), Text: p.Text, Reasoning: true})
	case agents.Completed:
		return w.completed(save, p)
	case agents.Broken:
		return w.broken(ctx, p)
	case agents.ToolStarted:
		return w.toolStarted(ctx, p)
	case agents.ToolDone:
		return w.toolDone(save, p)
	}
	return nil
}

// sending records a request. What has not begun does not begin while stopping.
func (w *turnRecorder) sending(ctx context.Context, p agents.Sending) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.reads = p.Request.Tokens()
	if err := w.hold(ctx); err != nil {
		return err
	}
	err := w.Recorder.BeginCall(context.WithoutCancel(ctx), w.response.Turn, w.purpose, p.N, p.Request)
	w.response.Sent++
	return w.keep("record a request", err)
}

// keep remembers an error of the store, which ends the run and not the seat alone.
func (w *turnRecorder) keep(doing string, err error) error {
	if err != nil {
		w.err = fmt.Errorf("%s of %s: %w", doing, w.who.ID, err)
	}
	return w.err
}

func (w *turnRecorder) piece(ev debate.Text) error {
	w.emit(ev)
	return w.keep("keep the text", w.journal.add(debate.Partial(ev)))
}

func (w *turnRecorder) completed(ctx context.Context, p agents.Completed) error {
	c := p.Completion
	w.response.Usage = w.response.Usage.Add(c.Usage)
	w.response.Sent += max(1, c.Tries) - 1
	w.response.Finish = c.Finish
	w.pay(ctx, c.Usage)
	if !c.Usage.Estimated && c.Tries <= 1 {
		w.response.Estimate += w.reads
	}
	w.passage = debate.Passage{Text: c.Text, Reasoning: c.Reasoning}
	w.text.Reset()
	w.thoughts.Reset()
	if !p.More {
		w.final = &c
		return nil
	}
	for i, call := range c.Calls {
		w.passage.Tools = append(w.passage.Tools, debate.ToolRecord{ID: p.IDs[i], Name: call.Name, Args: call.Args, State: debate.ToolPending})
	}
	w.journal.drop(w.response.Turn)
	err := w.Recorder.EndCall(ctx, w.response.Turn, p.N, c, w.passage.Tools, w.who.Cost(c.Usage))
	w.response.Passages = append(w.response.Passages, w.passage)
	w.passage = debate.Passage{}
	return w.keep("record the tool calls", err)
}

// broken records a completion that came to nothing, and what it took.
func (w *turnRecorder) broken(ctx context.Context, p agents.Broken) error {
	f := p.Failure
	w.response.Usage = w.response.Usage.Add(p.Usage)
	w.response.Sent += max(1, f.Tries) - 1
	w.pay(context.WithoutCancel(ctx), p.Usage)
	if why := endedBy(ctx); why != nil {
		f = why
	}
	ctx = context.WithoutCancel(ctx)
	err := errors.Join(w.journal.flush(ctx), w.Recorder.BreakCall(ctx, w.response.Turn, p.N, f, p.Usage, w.who.Cost(p.Usage)))
	return w.keep("record a failed request", err)
}

// tool returns the record of a call of the last passage.
func (w *turnRecorder) tool(id string) *debate.ToolRecord {
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
	t := w.tool(p.ID)
	t.State, t.Began = debate.ToolRunning, w.Now()
	if err := w.keep("record a tool's start", w.Recorder.StartTool(context.WithoutCancel(ctx), w.response.Turn, t.ID, t.Began)); err != nil {
		return err
	}
	w.emit(debate.ToolStarted{Turn: w.response.Turn, Tool: *t, At: t.Began})
	return nil
}

func (w *turnRecorder) toolDone(ctx context.Context, p agents.ToolDone) error {
	t := w.tool(p.ID)
	t.State, t.Result, t.Took = debate.ToolDone, p.Result, p.Took
	if err := w.keep("record a tool's result", w.Recorder.EndTool(ctx, w.response.Turn, *t)); err != nil {
		return err
	}
	w.emit(debate.ToolEnded{Turn: w.response.Turn, Tool: *t, At: w.Now()})
	return nil
}

// unsaved keeps what came of a turn that the store did not take. It is shown and
// leads to nothing: the turn starts again.
func (w *turnRecorder) unsaved() {
	w.keepPassage()
	w.response.State, w.response.Statement, w.response.Ended = debate.TurnInterrupted, debate.Statement{}, w.Now()
	w.response.Failure = &debate.Failed{Kind: agents.KindInterrupted, Cause: "It could not be saved.", Retryable: true}
	if w.purpose == debate.ForMember {
		w.change(func(s debate.Session) debate.Session { return s.WithResponse(w.response) })
	}
}

// keepPassage adds the completion under way to what was said.
func (w *turnRecorder) keepPassage() {
	if w.text.Len() > 0 || w.thoughts.Len() > 0 {
		w.passage.Text, w.passage.Reasoning = w.text.String(), w.thoughts.String()
		w.text.Reset()
		w.thoughts.Reset()
	}
	if w.passage.Text != "" || w.passage.Reasoning != "" {
		w.response.Passages = append(w.response.Passages, w.passage)
	}
	w.passage = debate.Passage{}
}

// settle decides how the turn has ended.
func (w *turnRecorder) settle(ctx context.Context, reply agents.Reply, err error) {
	w.keepPassage()
	if err == nil {
		w.response.State = debate.TurnDone
		w.response.Statement = debate.ParseStatement(reply.Text)
		if w.purpose == debate.ForMember {
			verdict.Check(w.current(), &w.response)
		}
		return
	}
	w.final = nil
	failure := endedBy(ctx)
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
	w.response.Failure = &debate.Failed{Kind: failure.Kind, Cause: failure.Cause, Remedy: failure.Remedy, Retryable: failure.Retryable, Tries: failure.Tries}
}

// endedBy returns why the user, or the end of the run, ended a turn; nil if neither did.
func endedBy(ctx context.Context) *agents.Failure {
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
	w.pay(ctx, agents.Usage{}) // of a request that was not sent after all
	w.response.Ended = w.Now()
	w.response.Cost = w.who.Cost(w.response.Usage)
	e := debate.TurnEnd{Response: w.response, Purpose: w.purpose, Final: w.final, Digest: w.digest}
	if w.final != nil {
		w.journal.drop(w.response.Turn)
		e.FinalCost = w.who.Cost(w.final.Usage)
	} else if err := w.journal.flush(ctx); err != nil {
		w.unsaved()
		return err
	}
	changed, err := w.Recorder.EndTurn(ctx, e)
	if err != nil {
		w.unsaved()
		return fmt.Errorf("record the turn of %s: %w", w.who.ID, err)
	}
	if w.purpose != debate.ForMember {
		w.change(func(s debate.Session) debate.Session { return s.WithAside(w.purpose, w.response) })
	} else {
		w.change(func(s debate.Session) debate.Session { return s.WithResponse(w.response) })
	}
	w.emit(debate.TurnEnded{Response: w.response, At: w.response.Ended})
	if w.response.Statement.Breaks != "" {
		w.notice(ctx, debate.Notice{
			Code: "role", Agent: w.who.ID, Round: w.response.Turn.Round,
			Text: fmt.Sprintf("%s breaks its role in round %d: %s. It stands as it was said.", w.who.Name, w.response.Turn.Round, w.response.Statement.Breaks),
		})
	}
	for _, n := range w.remark(w.who, w.response.Turn.Round) {
		if err := w.Recorder.Note(ctx, w.response.Turn.Session, n); err != nil {
			return fmt.Errorf("record a notice: %w", err)
		}
		w.emit(debate.Noticed{Notice: n})
	}
	for _, r := range changed {
		w.change(func(s debate.Session) debate.Session { return s.WithRequest(r) })
		w.emit(debate.ContextChanged{Request: r, At: w.Now()})
	}
	return nil
}
