package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

type planInput struct {
	debate.Plan
	Brought
}

// plan returns what the arguments ask for. What the client brings is apart.
func (in planInput) plan() debate.Plan {
	plan := in.Plan
	plan.USD, plan.Tokens = in.BudgetUSD, in.BudgetTokens
	return plan
}

type startInput struct {
	planInput
	New bool `json:"new,omitempty" jsonschema:"begin another debate although one has begun with the same arguments"`
}

type continueInput struct {
	SessionID      string            `json:"sessionId"`
	FocusQuestion  string            `json:"focusQuestion,omitempty" jsonschema:"what the next round looks at in particular"`
	ContextResults []contextResult   `json:"contextResults,omitempty" jsonschema:"answers to the agents' questions"`
	Models         map[string]string `json:"models,omitempty" jsonschema:"other models of seats, by the ids of the seats"`
	Brought
}

type contextResult struct {
	Request string `json:"request,omitempty" jsonschema:"such as C1"`
	Success *bool  `json:"success,omitempty" jsonschema:"false: there is no answer, and error says why"`
	Result  string `json:"result,omitempty" jsonschema:"the answer"`
	Error   string `json:"error,omitempty" jsonschema:"why there is no answer; the agents read it"`
	Source  string `json:"source,omitempty" jsonschema:"where the answer is from"`
}

type sessionInput struct {
	SessionID string `json:"sessionId"`
}

func (in sessionInput) id() string { return in.SessionID }

type controlInput struct {
	SessionID string `json:"sessionId"`
	Action    string `json:"action" jsonschema:"pause, resume or stop; or another action of a debate"`
	Arguments string `json:"arguments,omitempty" jsonschema:"of the action: a seat, a text, a number of rounds or a budget"`
}

type waitInput struct {
	SessionID string `json:"sessionId"`
	Seconds   int    `json:"seconds,omitempty" jsonschema:"how long to wait at the most; the server has a limit of its own"`
	Since     string `json:"since,omitempty" jsonschema:"the cursor of an earlier result: what came after it is not waited for"`
}

func (s *Server) addPlaying(server *mcp.Server) {
	addTool(s, server, asks, "start_roundtable",
		"Begin a debate and play its first round. status of the result is needs_context: contextRequests lists what the agents ask, "+
			"continue_roundtable answers; in_progress: continue_roundtable plays the next round; running: the round goes on, call "+
			"wait_roundtable; or completed, with verdict: its headline, what makes it weak, and its cautions.", asking(s, s.start))
	addTool(s, server, asks, "continue_roundtable",
		"Answer open questions of the agents, and play the next round, after the last one the verdict. "+
			"While a required question is open nothing is played: the error lists what has to be answered first.", asking(s, s.resume))
	addTool(s, server, reads, "wait_roundtable",
		"Wait until the round that is being played has ended, or until the open questions are answered.", asking(s, s.wait))
	addTool(s, server, steers, "control_session",
		"pause cuts the round that is being played short; resume plays the rest of it; "+
			"stop ends the debate, and a verdict is written on what there is.", asking(s, s.control))
	addTool(s, server, asks, "synthesize_debate", "Write the verdict of a debate whose rounds are played.", asking(s, s.synthesize))
	addTool(s, server, asks, "ask_roundtable",
		"Ask the chair, or one seat, a follow-up question after the verdict. The answer is followUp of the result.", asking(s, s.followUp))
	addTool(s, server, reads, "estimate_roundtable",
		"What start_roundtable with these arguments is likely to need: calls, tokens, dollars and seconds, and who receives it. "+
			"Asks no model.", s.estimate)
}

func (s *Server) start(ctx context.Context, req *mcp.CallToolRequest, in startInput) (*mcp.CallToolResult, Result, error) {
	if res := s.askFolders(ctx, req, &in.Brought); res != nil {
		return res, Result{}, nil
	}
	id, already, err := s.startOnce(ctx, req, in)
	if err != nil {
		return nil, Result{}, err
	}
	var result Result
	if r := s.lastRun(id); r != nil && !r.returned.Load() {
		result, err = s.await(ctx, req, r, s.options.Wait)
	} else {
		result, err = s.read(ctx, id)
	}
	if result.Already = already; already {
		result.Message = "This debate was begun with the same arguments before; new: true begins another one. " + result.Message
	}
	return nil, result, err
}

// startOnce begins a session, unless equal arguments began it a short time ago, and returns its id.
func (s *Server) startOnce(ctx context.Context, req *mcp.CallToolRequest, in startInput) (id string, already bool, err error) {
	key, err := json.Marshal([]any{in.planInput, clientOf(req), s.options.Folder})
	if err != nil {
		return "", false, err
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	plan := in.plan()
	plan.Author = s.author(req)
	session, notes, err := s.debates.Plan(ctx, plan, in.Brought)
	if err == nil {
		session.Call = debate.Call{Key: fmt.Sprintf("%x", sha256.Sum256(key)), New: in.New}
		session, err = s.debates.Create(ctx, session, clientOf(req))
	}
	var before *debate.BegunError
	if errors.As(err, &before) {
		return before.Session, true, nil
	}
	if err != nil {
		return "", false, err
	}
	s.note(session.ID, notes)
	_, _, err = s.conduct(req, session, s.goOn)
	return session.ID, false, err
}

func (s *Server) resume(ctx context.Context, req *mcp.CallToolRequest, in continueInput) (*mcp.CallToolResult, Result, error) {
	if res := s.askFolders(ctx, req, &in.Brought); res != nil {
		return res, Result{}, nil
	}
	repeats := req.Params.RequestState
	if repeats != "" { // the call that it repeats has added them
		in = continueInput{SessionID: in.SessionID}
	}
	return s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		answers, wrong := submissions(c.Session(), in.ContextResults)
		x, err := s.check(ctx, c, in)
		if err := errors.Join(append(wrong, err)...); err != nil {
			return err
		}
		if err := s.contextResults(req, c, answers); err != nil {
			return err
		}
		if err := s.add(c, x); err != nil {
			return err
		}
		if repeats != "" && repeats != s.sign(c.Session().ID, fmt.Sprint(len(c.Session().History))) { // more than once
			return nil
		}
		err = s.goOn(c)
		if blocked, ok := errors.AsType[*debate.BlockedError](err); ok {
			return s.pendingError(req, blocked)
		}
		return err
	})
}

// goOn begins what comes next, unless something runs or there is a verdict.
func (s *Server) goOn(c *control.Controller) error {
	if c.Running() || c.Next().Kind == control.Finished {
		return nil
	}
	_, err := c.Act(s.ctx, control.Continue, control.Values{})
	return err
}

func (s *Server) changeAndWait(ctx context.Context, req *mcp.CallToolRequest, id string, do func(*control.Controller) error,
) (*mcp.CallToolResult, Result, error) {
	r, session, err := s.change(ctx, req, id, do)
	switch {
	case err != nil:
		return nil, Result{}, err
	case r == nil:
		return nil, resultOf(session, report.Options{}), nil
	}
	result, err := s.await(ctx, req, r, s.options.Wait)
	return nil, result, err
}

// sentence returns the text of an error without its last period.
func sentence(err error) string { return strings.TrimSuffix(text.Sanitize(err.Error()), ".") }

// contextResults records all answers or none. Where the person decides, they are proposals.
func (s *Server) contextResults(req *mcp.CallToolRequest, c *control.Controller, answers []ledger.Submission) error {
	id := c.Session().ID
	switch {
	case req.Params.RequestState != "": // the form has the answers
		return nil
	case s.canAsk(req, id) && c.Next().Kind == control.AskUser: // else no form opens
		s.propose(c.Session(), answers)
		return nil
	case len(answers) == 0:
		return nil
	case s.options.Answers != AnswersBlocked:
		_, err := c.Act(s.ctx, control.Answer, control.Values{Answers: answers})
		return err
	}
	for _, a := range answers { // drafts in the form of the interface, unless the person has typed there
		if old, typed := c.Session().Drafts[a.Request]; typed && old.ProposedBy == "" {
			continue
		}
		d := debate.Draft{
			Text: a.Content, Source: a.Source, Unavailable: a.Outcome == ledger.Unavailable, ProposedBy: s.author(req).Assistant(),
		}
		if err := s.debates.SaveDraft(s.ctx, id, a.Request, d); err != nil {
			return err
		}
	}
	return nil
}

func submissions(session debate.Session, results []contextResult) (answers []ledger.Submission, wrong []error) {
	for i, r := range results {
		answer, why := r.submission()
		if _, ok := session.Request(answer.Request); why == "" && !ok {
			why = fmt.Sprintf("there is no question %q", text.Label(answer.Request))
		}
		if answers = append(answers, answer); why != "" {
			wrong = append(wrong, fmt.Errorf("contextResults[%d]: %s", i, why))
		}
	}
	return answers, wrong
}

func (r contextResult) submission() (sub ledger.Submission, why string) {
	sub.Request, sub.Source = r.Request, text.Line(r.Source)
	failed := r.Success != nil && !*r.Success
	sub.Outcome, sub.Content = ledger.Answered, text.Clean(r.Result)
	if failed {
		sub.Outcome, sub.Content = ledger.Unavailable, text.Clean(r.Error)
	}
	switch {
	case sub.Request == "":
		why = `it names no question; give its id as request, such as "request": "C1"`
	case failed && !ledger.HasWords(sub.Content):
		why = sub.Request + " has success false, so it needs error: why there is no answer"
	case !ledger.HasWords(sub.Content):
		why = sub.Request + " has no result in words; give one, or success false and error"
	}
	return sub, why
}

// pendingError refuses to play while required questions are open; it is nil where the person is shown them.
func (s *Server) pendingError(req *mcp.CallToolRequest, blocked *debate.BlockedError) error {
	if s.canAsk(req, blocked.Session) {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Cannot continue: %d required context request(s) pending.\n\n", len(blocked.Requests))
	for _, q := range blocked.Requests {
		fmt.Fprintf(&b, "- [%s] (%s): %s\n", q.ID, strings.Join(text.Strings(q.Askers()), ", "), text.Line(q.Query))
	}
	return errors.New(b.String() + "\n" + s.howToAnswer(blocked.Session))
}

func (s *Server) howToAnswer(session string) string {
	there := "in the interface (roundtable resume " + session + ") or with roundtable answer"
	if s.options.Answers == AnswersBlocked {
		return "Only the person can answer, " + there + ". What you send as contextResults stands in their form as a proposal. " +
			"wait_roundtable waits for them."
	}
	return "Find out what you can, or bring the person the questions; then call continue_roundtable with contextResults for these. " +
		"The person can answer " + there + ", too. If there is no answer, send success false with the reason in error."
}

func (s *Server) control(ctx context.Context, req *mcp.CallToolRequest, in controlInput) (*mcp.CallToolResult, Result, error) {
	id := control.ID(in.Action)
	switch in.Action {
	case "pause":
		return s.pause(ctx, req, in.SessionID)
	case "resume":
		return s.resume(ctx, req, continueInput{SessionID: in.SessionID})
	case "stop":
		id = control.EndNow
	}
	var told control.Told
	res, r, err := s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		v, err := c.Parse(id, text.Clean(in.Arguments))
		if err != nil {
			return fmt.Errorf("arguments: %w", err)
		}
		told, err = c.Act(s.ctx, id, v)
		return err
	})
	r.Message = strings.TrimSpace(told.Text + " " + r.Message)
	return res, r, err
}

// pause cuts short what this server plays of a session. Between rounds nothing runs.
func (s *Server) pause(ctx context.Context, req *mcp.CallToolRequest, id string) (res *mcp.CallToolResult, result Result, err error) {
	stop := func(c *control.Controller) { _, err = c.Act(s.ctx, control.PauseNow, control.Values{}) }
	if r := s.underWay(id); r != nil && r.within(stop) {
		if err != nil {
			return nil, result, refusal(err)
		}
		result, err = s.await(ctx, req, r, s.options.Wait)
		return nil, result, err
	}
	result, err = s.read(ctx, id)
	result.Message = "Nothing of it is being played here. " + result.Message
	return nil, result, err
}

func (s *Server) read(ctx context.Context, id string) (Result, error) {
	session, err := s.debates.Read(ctx, id)
	if err != nil {
		return Result{}, err
	}
	by, held := s.elsewhere(session.ID)
	r := resultOf(session, report.Options{Live: held, Holder: by})
	if held {
		r.HeldBy = by.String()
		r.Message = report.Doing(by, session) + " It goes on there, or here once it is closed there; wait_roundtable waits."
	}
	if by.Plays(session) {
		r.Next = "wait_roundtable"
	}
	return r, nil
}

func (s *Server) synthesize(ctx context.Context, req *mcp.CallToolRequest, in sessionInput) (*mcp.CallToolResult, Result, error) {
	return s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		if session := c.Session(); !c.Running() && session.HasRoundsLeft() {
			return errors.New(messageOf(report.ProgressOf(session, false)) +
				" control_session with the action stop ends the debate with a verdict on what there is.")
		}
		return s.goOn(c)
	})
}

// wait waits for the end of what is under way, or for answers to what is asked.
func (s *Server) wait(ctx context.Context, req *mcp.CallToolRequest, in waitInput) (*mcp.CallToolResult, Result, error) {
	atMost := s.options.Wait
	if in.Seconds > 0 {
		atMost = min(atMost, time.Duration(in.Seconds)*time.Second)
	}
	for until := time.Now().Add(atMost); ; {
		if r := s.lastRun(in.SessionID); r != nil && !r.returned.Load() {
			result, err := s.await(ctx, req, r, time.Until(until))
			return nil, result, err
		}
		result, err := s.read(ctx, in.SessionID)
		open, ended := s.formState(in.SessionID)
		known := open || in.Since == "" || in.Since == result.Cursor
		waits := result.Status == running || result.Status == needsContext && known && !ended
		if err != nil || !waits || time.Until(until) <= 0 {
			return nil, result, err
		}
		select {
		case <-time.After(min(poll, time.Until(until))):
		case <-ctx.Done():
			return nil, Result{}, ctx.Err()
		}
	}
}

func clientOf(req *mcp.CallToolRequest) string {
	if req == nil || req.ClientInfo() == nil {
		return ""
	}
	return text.Label(req.ClientInfo().Name)
}

func refusal(err error) error {
	var reason *control.Reason
	if errors.As(err, &reason) && reason.Instead != "" {
		return fmt.Errorf("%w control_session with the action %s: %s", err, reason.Instead, reason.Verb)
	}
	return err
}
