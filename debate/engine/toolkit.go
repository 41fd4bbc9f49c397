package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/text"
)

// unopened replaces workspaces where the specs of tools are measured.
type unopened struct{ tools.Workspaces }

// toolkit returns the tools of a step, in workspaces that may be nil. The list of those
// that are offered is the same in all rounds, unless the user brings evidence or a
// workspace.
func (r *runner) toolkit(in tools.Workspaces, snap prompt.Snapshot, step debate.Step) (*tools.Executor, error) {
	kit, err := tools.NewExecutor(tools.Sources{
		Requests: r, Statements: statements{r, snap, step}, Evidence: evidence{snap}, Workspaces: in,
		Env: r.Env, Approver: r, Work: r.places.take, Fence: snap.Fence, OnPanic: r.OnPanic,
	}, r.Tools...)
	if err != nil {
		return nil, err
	}
	if w := r.current().Workspace; !w.Commands || w.Mode == debate.WorkspaceLocal {
		kit.Withhold(agents.RunCommandName, "No commands can be run in this debate.")
	}
	const noEvidence = "The user has brought no evidence to this debate."
	if len(snap.Evidence) == 0 {
		kit.Withhold(tools.ListEvidenceName, noEvidence)
		kit.Withhold(tools.SearchEvidenceName, noEvidence)
	}
	if !r.offersReading(snap) {
		kit.Withhold(agents.ReadEvidenceName, noEvidence)
	}
	if snap.Caps.None {
		kit.Withhold(agents.RequestContextName,
			"Nobody is there to answer questions in this debate. Say what you lack, and what you assume.")
	}
	return kit, nil
}

// roundsToRead is how many planned rounds make statements so many that prompts may not
// have all of them.
const roundsToRead = 3

// offersReading reports whether read_evidence is offered: where there is evidence, or where
// statements may be shortened. Rounds that the user adds later change nothing.
func (r *runner) offersReading(snap prompt.Snapshot) bool {
	s := r.current()
	planned := snap.Rounds
	if len(s.History) > 0 {
		planned = s.History[0].Manifest.Rounds
	}
	return len(snap.Evidence) > 0 || s.Workspace.Dir != "" || planned >= roundsToRead
}

// statements is what the tools of a step may know of the debate: what its speakers see of
// the others, without anything said since.
type statements struct {
	runner *runner
	snap   prompt.Snapshot
	step   debate.Step
}

// Shortened returns the statements that the turn may see and that its prompt does not have in
// full.
func (e statements) Shortened(t agents.Turn) []tools.Statement {
	e.runner.mu.Lock()
	fit := e.runner.fits[t]
	e.runner.mu.Unlock()
	if fit == nil {
		return nil
	}
	snap := e.snap.VisibleTo(e.step, t.Agent)
	var out []tools.Statement
	for _, x := range snap.Earlier {
		if slices.ContainsFunc(fit.Excerpts, func(c debate.Excerpt) bool { return c.Response == x.ID() }) {
			id := fmt.Sprintf("R%d:%s", x.Turn.Round, snap.PromptName(x.Turn.Agent))
			out = append(out, tools.Statement{ID: id, Block: snap.StatementBlock(x, t.Agent)})
		}
	}
	return out
}

// anonymizedTools hides names in the results of tools. What the user wrote is not
// changed.
type anonymizedTools struct {
	*tools.Executor
	anonymizer prompt.Anonymizer
}

// Execute runs the call and hides names in the text for the model.
func (m anonymizedTools) Execute(ctx context.Context, turn agents.Turn, id string, call agents.ToolCall) agents.ToolResult {
	r := m.Executor.Execute(ctx, turn, id, call)
	switch call.Name {
	case agents.RequestContextName, tools.ListEvidenceName, agents.ReadEvidenceName, tools.SearchEvidenceName:
	default:
		r.Text = m.anonymizer.Scrub(r.Text)
	}
	return r
}

// Workspaces are the workspaces of the agents of one session.
type Workspaces interface {
	tools.Workspaces
	// Lines returns how many lines a file of the folder has, and its hash as read_file says it.
	Lines(ctx context.Context, path string) (n int, hash string, err error)
	// Close removes what was made for the session.
	Close() error
}

// sessionTools is what the tools of a session keep between its runs. None of it is
// stored: patterns that were added hold until the session is closed.
type sessionTools struct {
	mu         sync.Mutex
	workspaces Workspaces // nil: not open
	providers  map[agents.LoopProvider]bool
	patterns   [][]string // beginnings of commands that may run, see Options.AllowCommands
}

// patternOf returns the pattern with which a command begins, or nil.
func (t *sessionTools) patternOf(argv []string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.patterns {
		if debate.Begins(argv, p) {
			return p
		}
	}
	return nil
}

// allow lets all commands run that begin with the words of a pattern.
func (t *sessionTools) allow(pattern []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.patterns = append(t.patterns, pattern)
}

// openWorkspaces returns the workspaces of the session; nil if it has none. It fails if
// the mode of the workspace does not work here.
func (r *runner) openWorkspaces(ctx context.Context) (Workspaces, error) {
	s := r.current()
	if s.Workspace.Dir == "" {
		return nil, nil
	}
	if err := s.Workspace.Check(s.Speakers()); err != nil {
		return nil, err
	}
	t := r.kept
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.workspaces != nil {
		return t.workspaces, nil
	}
	if r.Workspaces == nil {
		return nil, &debate.WorkspaceError{Workspace: s.Workspace, Err: errors.New("no workspaces can be made here")}
	}
	w, err := r.Workspaces(ctx, s)
	if err != nil {
		return nil, &debate.WorkspaceError{Workspace: s.Workspace, Err: err}
	}
	t.workspaces = w
	return w, nil
}

// prepare has providers whose agents run a loop of their own start what a speaker needs.
func (t *sessionTools) prepare(s debate.Session, who agents.Profile, client agents.Provider) {
	p, ok := client.(agents.LoopProvider)
	if !ok {
		return
	}
	p.Prepare(s.ID, who, s.Workspace.Dir != "")
	t.mu.Lock()
	defer t.mu.Unlock()
	t.providers[p] = true
}

func (e *Engine) sessionTools(id string) *sessionTools {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.sessions[id]
	if t == nil {
		t = &sessionTools{patterns: slices.Clone(e.options.AllowCommands), providers: map[agents.LoopProvider]bool{}}
		e.sessions[id] = t
	}
	return t
}

// CloseSession ends the programs of agents that were started for a session that does not
// run, removes its workspaces, and forgets which commands were allowed.
func (e *Engine) CloseSession(id string) error {
	e.mu.Lock()
	t := e.sessions[id]
	delete(e.sessions, id)
	e.mu.Unlock()
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for p := range t.providers {
		p.CloseSession(id)
	}
	if t.workspaces == nil {
		return nil
	}
	return t.workspaces.Close()
}

// Close closes all sessions.
func (e *Engine) Close() error {
	e.mu.Lock()
	ids := slices.Sorted(maps.Keys(e.sessions))
	e.mu.Unlock()
	var err error
	for _, id := range ids {
		err = errors.Join(err, e.CloseSession(id))
	}
	return err
}

// addTool records a tool call in the middle of an answer. What was written since the call before it
// is a passage of its own. The answer to a request for a block has no calls: its agent
// has none of our tools, and what it does with its own is no part of what is said.
func (tr *turnRecorder) addTool(ctx context.Context, p agents.Called) error {
	if tr.block != nil {
		return nil
	}
	if p.Text != "" || p.Reasoning != "" || len(tr.response.Passages) == 0 {
		tr.text.Reset()
		tr.reasoning.Reset()
		tr.journal.drop(tr.response.Turn)
		tr.response.Passages = append(tr.response.Passages, debate.Passage{Text: p.Text, Reasoning: p.Reasoning})
	}
	n := len(tr.response.Passages) - 1
	passage := &tr.response.Passages[n]
	tool := debate.ToolRecord{ID: p.ID, Name: p.Call.Name, Args: p.Call.Args, Own: p.Own, State: debate.ToolPending}
	passage.Tools = append(passage.Tools, tool)
	err := tr.Recorder.AddTool(ctx, tr.response.Turn, n, *passage, tool)
	if err := tr.checkStore("record a tool call", err); err != nil {
		return err
	}
	tr.emit(debate.ToolsCalled{Turn: tr.response.Turn, Tools: []debate.ToolRecord{tool}})
	return nil
}

func (tr *turnRecorder) toolRecord(id string) *debate.ToolRecord {
	for i := range tr.response.Passages {
		for j := range tr.response.Passages[i].Tools {
			if t := &tr.response.Passages[i].Tools[j]; t.ID == id {
				return t
			}
		}
	}
	return &debate.ToolRecord{ID: id}
}

func (r *runner) commandLimit(name string) time.Duration {
	for _, t := range r.Tools {
		if t.Spec.Name == name {
			return t.Limit
		}
	}
	return 0
}

func (tr *turnRecorder) toolStarted(ctx context.Context, p agents.ToolStarted) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if tr.block != nil {
		return nil
	}
	t := tr.toolRecord(p.ID)
	t.State, t.Began = debate.ToolRunning, tr.Now()
	if err := tr.checkStore("record a tool's start", tr.Recorder.StartTool(context.WithoutCancel(ctx), tr.response.Turn,
		t.ID, t.Began)); err != nil {
		return err
	}
	tr.emit(debate.ToolStarted{Turn: tr.response.Turn, Tool: *t, Limit: tr.commandLimit(t.Name), At: t.Began})
	return nil
}

func (tr *turnRecorder) toolDone(ctx context.Context, p agents.ToolDone) error {
	if tr.block != nil {
		return nil
	}
	t := tr.toolRecord(p.ID)
	t.State, t.Result, t.Took = debate.ToolDone, p.Result, p.Took
	if t.Own { // the agent may have told more of it meanwhile
		t.Name, t.Args = p.Call.Name, p.Call.Args
	}
	if err := tr.checkStore("record a tool's result", tr.Recorder.EndTool(ctx, tr.response.Turn, *t)); err != nil {
		return err
	}
	tr.emit(debate.ToolEnded{Turn: tr.response.Turn, Tool: *t, At: tr.Now()})
	return nil
}

// Request records an agent's question and announces it. It implements the interface by
// which tools reach the user. Bad input and caps are errors for the agent; an error of
// the store ends the run.
func (r *runner) Request(ctx context.Context, t agents.Turn, call string, q tools.Question) (tools.Output, error) {
	question, err := ledger.Question{
		Query: q.Query, Reason: q.Reason, Priority: ledger.Priority(q.Priority), Refresh: q.Refresh,
	}.Check()
	if err != nil {
		return tools.Output{}, err
	}
	if err := ctx.Err(); err != nil {
		return tools.Output{}, err
	}
	save := context.WithoutCancel(ctx) // cancelling this seat must not fail the transaction, which would end the run
	asked, err := r.Recorder.Ask(save, t, call, question, r.current().Caps)
	switch {
	case errors.Is(err, ledger.ErrCap):
		r.noteOnce(ctx, debate.Notice{
			Code: "context_cap", Agent: t.Agent, Round: t.Round,
			Text: fmt.Sprintf("A question from %s in round %d was refused: %v.", t.Agent, t.Round, err),
		})
		return tools.Output{}, err
	case err != nil:
		err = fmt.Errorf("record a question from %s: %w", t.Agent, err)
		r.run.cancel(err)
		return tools.Output{}, err
	}
	if asked.Fresh {
		r.update(func(s debate.Session) debate.Session { return s.WithRequest(asked.Request) })
		r.emit(debate.ContextRequested{Turn: t, Request: asked.Request, Ask: asked.Ask, At: r.Now()})
	}
	return output(asked)
}

// output returns what the agent reads of the reply, and the line that the user sees.
func output(a debate.AskResult) (tools.Output, error) {
	raw, err := json.Marshal(a.Reply)
	if err != nil {
		return tools.Output{}, err
	}
	var line string
	switch a.Reply.Status {
	case ledger.StatusQueued:
		line = a.Reply.RequestID + " " + string(a.Ask.Priority)
	case ledger.StatusDuplicate:
		line = "joins " + a.Reply.RequestID
	case ledger.StatusAnswered, ledger.StatusUnavailable:
		line = a.Reply.RequestID + " is " + string(a.Reply.Status)
	}
	return tools.Output{Text: string(raw), Summary: line}, nil
}

type evidence struct{ snap prompt.Snapshot }

// Evidence returns the evidence of the round, which every turn may see.
func (e evidence) Evidence(agents.Turn) []tools.Evidence {
	return text.Each(e.snap.Evidence, func(x prompt.Evidence) tools.Evidence {
		return tools.Evidence{ID: x.ID, Name: x.Name, Kind: string(x.Kind), Text: x.Text}
	})
}
