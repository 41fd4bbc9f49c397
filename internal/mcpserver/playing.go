package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// startInput are the arguments of start_roundtable.
type startInput struct {
	Topic           string   `json:"topic" jsonschema:"the question to debate, complete in itself"`
	Mode            string   `json:"mode,omitempty" jsonschema:"such as collaborative or delphi; the configured mode if left out"`
	Panel           string   `json:"panel,omitempty" jsonschema:"a panel of the configuration, or demo: scripted answers without a model"`
	Agents          []string `json:"agents,omitempty" jsonschema:"ids of the agents that debate, as get_agents lists them"`
	AgentCount      int      `json:"agentCount,omitempty" jsonschema:"how many agents of the panel debate, when none are named"`
	Rounds          int      `json:"rounds,omitempty" jsonschema:"planned rounds; as many as the mode plans if left out"`
	Question        string   `json:"question,omitempty" jsonschema:"yes-no, choice, estimate or open: how votes are counted"`
	Options         []string `json:"options,omitempty" jsonschema:"what to choose from, in a choice"`
	Perspectives    []string `json:"perspectives,omitempty" jsonschema:"what each seat looks at, in modes with perspectives"`
	ExitOnConsensus bool     `json:"exitOnConsensus,omitempty" jsonschema:"end early when all agree"`
}

// continueInput are the arguments of continue_roundtable.
type continueInput struct {
	SessionID      string          `json:"sessionId"`
	FocusQuestion  string          `json:"focusQuestion,omitempty" jsonschema:"what the next round looks at in particular"`
	ContextResults []contextResult `json:"contextResults,omitempty" jsonschema:"answers to the agents' questions"`
}

// contextResult answers a question. A result may be called content.
type contextResult struct {
	RequestID string `json:"requestId" jsonschema:"such as C1"`
	Success   *bool  `json:"success,omitempty" jsonschema:"false: there is no answer, and error says why"`
	Result    string `json:"result,omitempty" jsonschema:"the answer"`
	Content   string `json:"content,omitempty" jsonschema:"the answer, if result is left out"`
	Error     string `json:"error,omitempty" jsonschema:"why there is no answer; the agents read it"`
	Source    string `json:"source,omitempty" jsonschema:"where the answer is from"`
}

// sessionInput names a session.
type sessionInput struct {
	SessionID string `json:"sessionId" jsonschema:"the id of a debate, or the first four or more of its characters"`
}

// controlInput are the arguments of control_session.
type controlInput struct {
	SessionID string `json:"sessionId"`
	Action    string `json:"action" jsonschema:"pause, resume or stop; or another action of a debate, which the error lists"`
	Arguments string `json:"arguments,omitempty" jsonschema:"of the action: a seat, a text, a number of rounds or a budget"`
}

// addPlaying adds the tools that play debates.
func (s *Server) addPlaying(server *mcp.Server) {
	addTool(server, &mcp.Tool{
		Name: "start_roundtable",
		Description: "Begin a debate and play its first round. The result lists what the agents ask; " +
			"continue_roundtable answers and plays the next round.",
	}, s.start)
	addTool(server, &mcp.Tool{
		Name: "continue_roundtable",
		Description: "Answer open questions of the agents, and play the next round. While a required question is open " +
			"nothing is played: the error lists what has to be answered first.",
	}, s.resume)
	addTool(server, &mcp.Tool{
		Name: "control_session",
		Description: "pause cuts the round that is being played short; resume plays the rest of it; " +
			"stop ends the debate, and a verdict is written on what there is.",
	}, s.control)
	addTool(server, &mcp.Tool{
		Name:        "synthesize_debate",
		Description: "Write the verdict of a debate whose rounds are played.",
	}, s.synthesize)
}

func (s *Server) start(ctx context.Context, req *mcp.CallToolRequest, in startInput) (*mcp.CallToolResult, Result, error) {
	session, err := s.debates.Create(ctx, debate.Plan{
		Topic: in.Topic, Mode: in.Mode, Panel: in.Panel, Agents: in.Agents, Rounds: in.Rounds,
		Question: in.Question, Perspectives: in.Perspectives, Options: in.Options, OnConsensus: in.ExitOnConsensus,
	}, in.AgentCount)
	if err != nil {
		return nil, Result{}, err
	}
	r, err := s.locked(ctx, session, func(ctx context.Context, session debate.Session) (Result, error) {
		return s.playNext(ctx, req, s.conduct(session, clientOf(req)))
	})
	return nil, r, err
}

func (s *Server) resume(ctx context.Context, req *mcp.CallToolRequest, in continueInput) (*mcp.CallToolResult, Result, error) {
	r, err := s.open(ctx, in.SessionID, func(ctx context.Context, session debate.Session) (Result, error) {
		c := s.conduct(session, clientOf(req))
		if err := s.answer(ctx, c, in.ContextResults); err != nil {
			return Result{}, err
		}
		if next := c.Next(); next.Kind == control.Finished {
			return resultOf(c.Session()), nil
		} else if next.Kind == control.AskUser {
			return Result{}, pendingError(c.Session())
		}
		if focus := strings.TrimSpace(in.FocusQuestion); focus != "" {
			if c.AddsRound() {
				return Result{}, fmt.Errorf("focusQuestion: no round is left that could look at it. " +
					"control_session with the action add-rounds adds one; without focusQuestion the verdict is written")
			}
			if _, err := c.Act(ctx, control.SetFocus, control.Values{Text: text.SanitizeInput(focus)}); err != nil {
				return Result{}, refusal(err)
			}
		}
		return s.playNext(ctx, req, c)
	})
	return nil, r, err
}

// playNext plays what is next: a round, the rest of one, or the verdict.
func (s *Server) playNext(ctx context.Context, req *mcp.CallToolRequest, c *control.Controller) (Result, error) {
	played, err := s.play(ctx, req, c, control.Continue, control.Values{})
	if err != nil {
		return Result{}, fmt.Errorf("%s.\nNothing is lost: continue_roundtable with sessionId %s goes on", sentence(err), c.Session().ID)
	}
	return played, nil
}

// sentence returns the text of an error without its last period.
func sentence(err error) string { return strings.TrimSuffix(text.Sanitize(err.Error()), ".") }

// answer records the answers of a client all together, or none of them.
func (s *Server) answer(ctx context.Context, c *control.Controller, results []contextResult) error {
	if len(results) == 0 {
		return nil
	}
	var v control.Values
	for _, r := range results {
		sub, err := r.submission()
		if err != nil {
			return err
		}
		v.Answers = append(v.Answers, sub)
	}
	_, err := c.Act(ctx, control.Answer, v)
	return err
}

// submission returns the answer, made safe.
func (r contextResult) submission() (ledger.Submission, error) {
	id := strings.ToUpper(strings.TrimSpace(r.RequestID))
	answer := r.Result
	if answer == "" {
		answer = r.Content
	}
	sub := ledger.Submission{Request: id, Source: text.Line(r.Source)}
	switch {
	case r.Success != nil && !*r.Success && strings.TrimSpace(r.Error) == "":
		return sub, fmt.Errorf("contextResults: %s has success false, so it needs error: why there is no answer", id)
	case r.Success != nil && !*r.Success:
		sub.Outcome, sub.Content = ledger.Unavailable, text.SanitizeInput(r.Error)
	case strings.TrimSpace(answer) == "":
		return sub, fmt.Errorf("contextResults: %s has no result; give one, or success false and error", id)
	default:
		sub.Outcome, sub.Content = ledger.Answered, text.SanitizeInput(answer)
	}
	return sub, nil
}

// pendingError lists what has to be answered before a debate can continue.
func pendingError(s debate.Session) error {
	var b strings.Builder
	open := s.Unanswered()
	fmt.Fprintf(&b, "Cannot continue: %d required context request(s) pending.\n\n", len(open))
	for _, q := range open {
		fmt.Fprintf(&b, "- [%s] (%s): %s\n", q.ID, strings.Join(idsOf(q.Askers()), ", "), text.Line(q.Query))
	}
	b.WriteString("\nFind out what you can, or ask the user; then call continue_roundtable with contextResults for these. " +
		"If there is no answer, send success false with the reason in error.")
	return errors.New(b.String())
}

func (s *Server) control(ctx context.Context, req *mcp.CallToolRequest, in controlInput) (*mcp.CallToolResult, Result, error) {
	switch in.Action {
	case "pause":
		r, err := s.pause(ctx, in.SessionID)
		return nil, r, err
	case "resume":
		return s.resume(ctx, req, continueInput{SessionID: in.SessionID})
	case "stop":
		if run := s.running(in.SessionID); run != nil {
			run.End()
			r, err := s.read(ctx, in.SessionID)
			r.Message = "The debate is being ended; the call that plays it returns the verdict."
			return nil, r, err
		}
		r, err := s.open(ctx, in.SessionID, func(ctx context.Context, session debate.Session) (Result, error) {
			if session.Verdict != nil {
				return resultOf(session), nil
			}
			return s.conclude(ctx, req, s.conduct(session, clientOf(req)), control.EndNow)
		})
		return nil, r, err
	}
	names := []string{"pause", "resume", "stop"}
	for _, a := range control.All() {
		if string(a.ID) == in.Action {
			r, err := s.act(ctx, req, a, in)
			return nil, r, err
		}
		names = append(names, string(a.ID))
	}
	return nil, Result{}, fmt.Errorf("there is no action %q; there are: %s", text.Label(in.Action), strings.Join(names, ", "))
}

// act carries out an action of a session that is not being played, and plays what it starts.
func (s *Server) act(ctx context.Context, req *mcp.CallToolRequest, a control.Action, in controlInput) (Result, error) {
	return s.open(ctx, in.SessionID, func(ctx context.Context, session debate.Session) (Result, error) {
		c := s.conduct(session, clientOf(req))
		v, err := c.Parse(a.ID, text.SanitizeInput(in.Arguments))
		if err != nil {
			return Result{}, fmt.Errorf("arguments: %w", refusal(err))
		}
		return s.play(ctx, req, c, a.ID, v)
	})
}

// pause cuts short what this server plays of a session. Between rounds nothing runs.
func (s *Server) pause(ctx context.Context, id string) (Result, error) {
	run := s.running(id)
	if run != nil {
		run.Stop()
	}
	r, err := s.read(ctx, id)
	if err == nil && run == nil {
		r.Message = "Nothing of it is being played here. " + r.Message
	}
	return r, err
}

func (s *Server) read(ctx context.Context, id string) (Result, error) {
	session, err := s.debates.Read(ctx, id)
	if err != nil {
		return Result{}, err
	}
	return resultOf(session), nil
}

func (s *Server) synthesize(ctx context.Context, req *mcp.CallToolRequest, in sessionInput) (*mcp.CallToolResult, Result, error) {
	r, err := s.open(ctx, in.SessionID, func(ctx context.Context, session debate.Session) (Result, error) {
		switch due := session.Due(time.Now()); {
		case session.Verdict != nil:
			return resultOf(session), nil
		case due.Action != debate.WriteVerdict:
			return Result{}, fmt.Errorf("round %d of %d is not played yet: continue_roundtable plays it, and control_session "+
				"with the action stop ends the debate with a verdict on what there is", max(len(session.History), 1), session.Rounds)
		}
		return s.conclude(ctx, req, s.conduct(session, clientOf(req)), control.Continue)
	})
	return nil, r, err
}

// conclude writes the verdict.
func (s *Server) conclude(ctx context.Context, req *mcp.CallToolRequest, c *control.Controller, by control.ID) (Result, error) {
	concluded, err := s.play(ctx, req, c, by, control.Values{})
	if err != nil {
		return Result{}, fmt.Errorf("%s.\nNothing is lost: synthesize_debate tries it again", sentence(err))
	}
	return concluded, nil
}

// play carries out an action that starts a run, reads the run to its end, tells the client
// how far it is, and returns what came of it. A call that the client cancels ends the run;
// what its agents had finished is kept. So does a run of which only waits for providers are
// left: the client need not wait.
func (s *Server) play(
	ctx context.Context, req *mcp.CallToolRequest, c *control.Controller, id control.ID, v control.Values,
) (Result, error) {
	told, err := c.Act(ctx, id, v)
	if err != nil {
		return Result{}, refusal(err)
	}
	if !c.Running() {
		r := resultOf(c.Session())
		r.Message = strings.TrimSpace(told.Text + " " + r.Message)
		return r, nil
	}
	run := c.Run()
	session := c.Session()
	s.setRun(session.ID, run)
	defer s.setRun(session.ID, nil)
	p := progress{request: req}
	var wait *debate.Wait
	for ev := range run.Events() {
		c.Apply(ev)
		if next := c.Next(); next.Kind == control.WaitUntil && wait == nil {
			wait = next.Wait
			run.Stop()
		}
		switch ev := ev.(type) {
		case debate.TurnEnded:
			p.tell(ctx, turnText(session, ev.Response))
		case debate.ContextRequested:
			p.tell(ctx, fmt.Sprintf("%s asked %s: %s", session.NameOf(ev.Turn.Agent), ev.Request.ID, text.Label(ev.Request.Query)))
		case debate.TurnRetrying:
			p.tell(ctx, retryText(session, ev))
		case debate.ApprovalAsked:
			c.Decide(ev.CallID, debate.Approval{Choice: debate.ApprovalDenied, Reason: "nobody is here to approve it"})
		case debate.Concluding:
			p.tell(ctx, ev.Profile.Name+" writes the verdict")
		case debate.RoundEnded:
			err = ev.Err
		default: // not worth a line
		}
	}
	c.RunEnded()
	var blocked *debate.BlockedError
	switch {
	case err != nil && wait != nil && ctx.Err() == nil:
		r := resultOf(c.Session())
		r.WaitUntil = wait.Until.UTC().Format(time.RFC3339)
		r.Message = waitText(session, wait.Turn.Agent, wait.Until, wait.Cause) + ". Nothing is lost: call again then."
		return r, nil
	case err == nil, errors.As(err, &blocked): // the result lists what is open
		return resultOf(c.Session()), nil
	}
	return Result{}, err
}

// clientOf names the client of a call; "" if it did not say.
func clientOf(req *mcp.CallToolRequest) string {
	if req == nil || req.Session == nil {
		return ""
	}
	p := req.Session.InitializeParams()
	if p == nil || p.ClientInfo == nil {
		return ""
	}
	return text.Label(p.ClientInfo.Name)
}

// conduct returns the controller of a session that a call has locked.
func (s *Server) conduct(session debate.Session, client string) *control.Controller {
	return control.New(session, control.Options{
		Player: s.debates, Writer: s.debates, Author: ledger.Author{Kind: ledger.Assistant, Door: client},
	})
}

// refusal returns why an action is not possible, with the action that is.
func refusal(err error) error {
	var reason *control.Reason
	if errors.As(err, &reason) && reason.Instead != "" {
		return fmt.Errorf("%s control_session with the action %s: %s", reason.Text, reason.Instead, reason.Verb)
	}
	return err
}

// progress sends progress notifications for a call whose client asks for them.
type progress struct {
	request *mcp.CallToolRequest
	told    float64
}

func (p *progress) tell(ctx context.Context, message string) {
	token := p.request.Params.GetProgressToken()
	if token == nil {
		return
	}
	p.told++
	// A client that has gone is noticed by the call itself.
	_ = p.request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: p.told, Message: text.Line(message),
	})
}

// retryText says that an agent is asked again, and when if that is not soon.
func retryText(s debate.Session, ev debate.TurnRetrying) string {
	if ev.Retry.Until.IsZero() {
		return fmt.Sprintf("%s is asked again: %s", s.NameOf(ev.Turn.Agent), text.Label(ev.Retry.Cause))
	}
	return waitText(s, ev.Turn.Agent, ev.Retry.Until, ev.Retry.Cause)
}

// waitText says until when a provider lets an agent wait, without a last period.
func waitText(s debate.Session, agent agents.ID, until time.Time, cause string) string {
	cause = strings.TrimSuffix(text.Label(cause), ".")
	return fmt.Sprintf("%s waits until %s: %s", s.NameOf(agent), until.UTC().Format(time.RFC3339), cause)
}

func turnText(s debate.Session, x debate.Response) string {
	name := s.NameOf(x.Turn.Agent)
	switch {
	case x.Failure != nil:
		return fmt.Sprintf("%s failed in round %d: %s", name, x.Turn.Round, text.Label(x.Failure.Cause))
	case x.State == debate.TurnDone:
		return fmt.Sprintf("%s has answered in round %d", name, x.Turn.Round)
	}
	return fmt.Sprintf("%s: %s in round %d", name, x.State, x.Turn.Round)
}
