package mcpserver

import (
	"cmp"
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

// planInput are the arguments of estimate_roundtable.
type planInput struct {
	Topic           string   `json:"topic" jsonschema:"the question to debate, complete in itself"`
	Mode            string   `json:"mode,omitempty" jsonschema:"such as collaborative or delphi; the configured mode if left out"`
	Panel           string   `json:"panel,omitempty" jsonschema:"a panel of the configuration, or demo: scripted answers without a model"`
	Agents          []string `json:"agents,omitempty" jsonschema:"ids of the agents that debate, as get_agents lists them"`
	AgentCount      int      `json:"agentCount,omitempty" jsonschema:"how many agents of the panel debate, when none are named"`
	Rounds          int      `json:"rounds,omitempty" jsonschema:"planned rounds; as many as the mode plans if left out"`
	Question        string   `json:"question,omitempty" jsonschema:"how votes are counted"`
	Options         []string `json:"options,omitempty" jsonschema:"what to choose from, in a choice"`
	Perspectives    []string `json:"perspectives,omitempty" jsonschema:"what each seat looks at, in modes with perspectives"`
	ExitOnConsensus bool     `json:"exitOnConsensus,omitempty" jsonschema:"end early when all agree"`
	bringInput
}

// order returns what the arguments ask for, with the folders that may be read.
func (in planInput) order(folders []string) Order {
	return Order{
		Plan: debate.Plan{
			Topic: in.Topic, Mode: in.Mode, Panel: in.Panel, Agents: in.Agents, Rounds: in.Rounds,
			USD: in.BudgetUSD, Tokens: in.BudgetTokens,
			Question: in.Question, Perspectives: in.Perspectives, Options: in.Options, OnConsensus: in.ExitOnConsensus,
		},
		Count: in.AgentCount, Brought: in.in(folders),
	}
}

// startInput are the arguments of start_roundtable.
type startInput struct {
	planInput
	New bool `json:"new,omitempty" jsonschema:"begin another debate although one has begun with the same arguments"`
}

// continueInput are the arguments of continue_roundtable.
type continueInput struct {
	SessionID      string          `json:"sessionId"`
	FocusQuestion  string          `json:"focusQuestion,omitempty" jsonschema:"what the next round looks at in particular"`
	ContextResults []contextResult `json:"contextResults,omitempty" jsonschema:"answers to the agents' questions"`
	bringInput
}

// contextResult answers a question. A result may be called content.
type contextResult struct {
	Request   string `json:"request,omitempty" jsonschema:"such as C1"`
	RequestID string `json:"requestId,omitempty" jsonschema:"the same as request"`
	OldID     string `json:"request_id,omitempty" jsonschema:"the same as request"`
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
	Action    string `json:"action" jsonschema:"pause, resume or stop; or another action of a debate"`
	Arguments string `json:"arguments,omitempty" jsonschema:"of the action: a seat, a text, a number of rounds or a budget"`
}

// waitInput are the arguments of wait_roundtable.
type waitInput struct {
	SessionID string `json:"sessionId"`
	Seconds   int    `json:"seconds,omitempty" jsonschema:"how long to wait at the most; the server has a limit of its own"`
	Since     *int   `json:"since,omitempty" jsonschema:"the cursor of an earlier result: only what happened after it is new"`
}

// addPlaying adds the tools that play debates.
func (s *Server) addPlaying(server *mcp.Server) {
	addTool(s, server, asks, "start_roundtable",
		"Begin a debate and play its first round. status of the result is needs_context: contextRequests lists what the agents ask, "+
			"continue_roundtable answers; in_progress: continue_roundtable plays the next round; running: the round goes on, call "+
			"wait_roundtable; or completed, with verdict: its headline, what makes it weak, and its cautions.", asking(s, s.start))
	addTool(s, server, asks, "continue_roundtable",
		"Answer open questions of the agents, and play the next round, after the last one the verdict. "+
			"While a required question is open nothing is played: the error lists what has to be answered first.", asking(s, s.resume))
	addTool(s, server, reads, "wait_roundtable",
		"Wait until the round that is being played has ended, or, with the cursor of an earlier result as since, "+
			"until an open question is answered. Returns what is new.", asking(s, s.wait))
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
	folders, ask := s.folders(ctx, req, in.bringInput)
	if ask != nil {
		return ask, Result{}, nil
	}
	begun, err := s.startOnce(ctx, req, in, folders)
	if err != nil {
		return nil, Result{}, err
	}
	var result Result
	if begun.run != nil {
		result, err = s.await(ctx, req, begun.run, s.options.Wait)
	} else {
		result, err = s.read(ctx, begun.id)
	}
	if err != nil {
		return nil, Result{}, err
	}
	if result.Already = begun.already; begun.already {
		result.Message = "This debate was begun with the same arguments before; new: true begins another one. " + result.Message
	} else if other := s.sameTopic(ctx, begun.id, result.Topic); other != "" {
		result.Message += " A debate on the same topic waits for answers: " + other + "."
	}
	return nil, result, nil
}

// repeatTime is how long after the last activity of a debate equal arguments of a call mean
// the earlier one: a client repeats a call that has timed out.
const repeatTime = 10 * time.Minute

// started is a session that start_roundtable has begun.
type started struct {
	run     *run // nil: nothing is under way
	id      string
	already bool // by an earlier call
}

// startOnce creates a session and begins its first round, unless it was created by equal
// arguments a short time ago.
func (s *Server) startOnce(ctx context.Context, req *mcp.CallToolRequest, in startInput, folders []string) (started, error) {
	again := in.New
	in.New = false
	arguments, err := json.Marshal(in)
	if err != nil {
		return started{}, err
	}
	key := sha256.Sum256(arguments)
	s.starting.Lock()
	defer s.starting.Unlock()
	if id, ok := s.started[key]; ok && !again {
		if r := s.underWay(id); r != nil {
			return started{run: r, id: id, already: true}, nil
		}
		if known, err := s.debates.Read(ctx, id); err == nil && time.Since(known.Updated) < repeatTime {
			return started{id: id, already: true}, nil
		}
	}
	order := in.order(folders)
	order.Plan.Author = s.author(req)
	session, notes, err := s.debates.Plan(ctx, order)
	if err == nil {
		session, err = s.debates.Create(ctx, session, clientOf(req))
	}
	if err != nil {
		return started{}, err
	}
	s.started[key] = session.ID
	s.note(session.ID, notes)
	r, _, err := s.conduct(req, session, func(c *control.Controller) error {
		_, err := c.Act(s.ctx, control.Continue, control.Values{})
		return refusal(err)
	})
	return started{run: r, id: session.ID}, err
}

// sameTopic returns the id of another session on a topic that waits for answers; "" if
// there is none.
func (s *Server) sameTopic(ctx context.Context, id, topic string) string {
	all, err := s.debates.List(ctx, Query{Status: string(debate.NeedsContext), Limit: maxListed})
	if err != nil {
		return "" // it is only a hint
	}
	for _, other := range all {
		if other.ID != id && other.Topic == topic {
			return other.ID
		}
	}
	return ""
}

func (s *Server) resume(ctx context.Context, req *mcp.CallToolRequest, in continueInput) (*mcp.CallToolResult, Result, error) {
	if req.Params.RequestState != "" { // the call that it repeats has added them
		in.bringInput = bringInput{}
	}
	folders, ask := s.folders(ctx, req, in.bringInput)
	if ask != nil {
		return ask, Result{}, nil
	}
	return s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		x, err := s.check(ctx, c, in, folders)
		if err != nil {
			return err
		}
		if err := s.contextResults(req, c, in.ContextResults); err != nil {
			return err
		}
		if err := s.add(c, x); err != nil {
			return err
		}
		switch next := c.Next(); {
		case next.Kind == control.Finished, next.Kind == control.AskUser && s.canAsk(req, c.Session().ID), c.Running():
			return nil
		case next.Kind == control.AskUser:
			return s.pendingError(c.Session())
		}
		_, err = c.Act(s.ctx, control.Continue, control.Values{})
		return refusal(err)
	})
}

// changeAndWait changes a session, and waits for what is under way then.
func (s *Server) changeAndWait(ctx context.Context, req *mcp.CallToolRequest, id string, do func(*control.Controller) error,
) (*mcp.CallToolResult, Result, error) {
	r, session, err := s.change(ctx, req, id, do)
	switch {
	case err != nil:
		return nil, Result{}, err
	case r == nil:
		return nil, resultOf(session), nil
	}
	result, err := s.await(ctx, req, r, s.options.Wait)
	return nil, result, err
}

// sentence returns the text of an error without its last period.
func sentence(err error) string { return strings.TrimSuffix(text.Sanitize(err.Error()), ".") }

// contextResults records the answers of an assistant all together, or none of them. Where
// the person decides, they are proposals.
func (s *Server) contextResults(req *mcp.CallToolRequest, c *control.Controller, results []contextResult) error {
	switch {
	case req.Params.RequestState != "": // the form has the answers
		return nil
	case s.canAsk(req, c.Session().ID):
		return s.propose(c.Session(), results)
	case len(results) == 0:
		return nil
	case s.options.Answers == AnswersBlocked:
		return s.draft(c.Session(), results)
	}
	var v control.Values
	for _, r := range results {
		sub, err := r.submission()
		if err != nil {
			return err
		}
		v.Answers = append(v.Answers, sub)
	}
	_, err := c.Act(s.ctx, control.Answer, v)
	return err
}

// draft saves what an assistant would answer as text that is not sent yet in the form of the
// interface.
func (s *Server) draft(session debate.Session, results []contextResult) error {
	for _, r := range results {
		sub, err := r.submission()
		if err != nil {
			return err
		}
		if _, typed := session.Drafts[sub.Request]; typed {
			continue // by the person
		}
		d := debate.Draft{Text: sub.Content, Source: sub.Source, Unavailable: sub.Outcome == ledger.Unavailable}
		if err := s.debates.SaveDraft(s.ctx, session.ID, sub.Request, d); err != nil {
			return err
		}
	}
	return nil
}

// submission returns the answer, made safe.
func (r contextResult) submission() (ledger.Submission, error) {
	id := strings.ToUpper(strings.TrimSpace(cmp.Or(r.Request, r.RequestID, r.OldID)))
	if id == "" {
		return ledger.Submission{},
			errors.New(`contextResults: an entry names no question; give its id as request, such as "request": "C1"`)
	}
	answer := r.Result
	if answer == "" {
		answer = r.Content
	}
	sub := ledger.Submission{Request: id, Source: text.Line(r.Source)}
	switch {
	case r.Success != nil && !*r.Success && !ledger.HasWords(r.Error):
		return sub, fmt.Errorf("contextResults: %s has success false, so it needs error: why there is no answer", id)
	case r.Success != nil && !*r.Success:
		sub.Outcome, sub.Content = ledger.Unavailable, text.SanitizeInput(r.Error)
	case !ledger.HasWords(answer):
		return sub, fmt.Errorf("contextResults: %s has no result in words; give one, or success false and error", id)
	default:
		sub.Outcome, sub.Content = ledger.Answered, text.SanitizeInput(answer)
	}
	return sub, nil
}

// pendingError lists what has to be answered before a debate can continue.
func (s *Server) pendingError(session debate.Session) error {
	var b strings.Builder
	open := session.Unanswered()
	fmt.Fprintf(&b, "Cannot continue: %d required context request(s) pending.\n\n", len(open))
	for _, q := range open {
		fmt.Fprintf(&b, "- [%s] (%s): %s\n", q.ID, strings.Join(idsOf(q.Askers()), ", "), text.Line(q.Query))
	}
	if s.options.Answers == AnswersBlocked {
		b.WriteString("\nOnly the person can answer: in the interface (roundtable resume " + session.ID + ") or with roundtable answer. " +
			"What you send as contextResults stands in their form as a proposal. wait_roundtable waits for them.")
		return errors.New(b.String())
	}
	b.WriteString("\nFind out what you can, or ask the user; then call continue_roundtable with contextResults for these. " +
		"If there is no answer, send success false with the reason in error.")
	return errors.New(b.String())
}

func (s *Server) control(ctx context.Context, req *mcp.CallToolRequest, in controlInput) (*mcp.CallToolResult, Result, error) {
	switch in.Action {
	case "pause":
		r, err := s.pause(ctx, req, in.SessionID)
		return nil, r, err
	case "resume":
		return s.resume(ctx, req, continueInput{SessionID: in.SessionID})
	case "stop":
		return s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
			if c.Session().Verdict != nil {
				return nil
			}
			_, err := c.Act(s.ctx, control.EndNow, control.Values{})
			return refusal(err)
		})
	}
	r, err := s.act(ctx, req, control.ID(in.Action), in)
	return nil, r, err
}

// act carries out an action of a session, and waits for what it begins.
func (s *Server) act(ctx context.Context, req *mcp.CallToolRequest, id control.ID, in controlInput) (Result, error) {
	var told control.Told
	_, r, err := s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		v, err := c.Parse(id, text.SanitizeInput(in.Arguments))
		if err != nil {
			return fmt.Errorf("arguments: %w", refusal(err))
		}
		told, err = c.Act(s.ctx, id, v)
		return refusal(err)
	})
	r.Message = strings.TrimSpace(told.Text + " " + r.Message)
	return r, err
}

// pause cuts short what this server plays of a session. Between rounds nothing runs.
func (s *Server) pause(ctx context.Context, req *mcp.CallToolRequest, id string) (Result, error) {
	full, err := s.debates.Resolve(ctx, id)
	if err != nil {
		return Result{}, err
	}
	stop := func(c *control.Controller) { _, err = c.Act(s.ctx, control.PauseNow, control.Values{}) }
	if r := s.underWay(full); r != nil && r.within(stop) {
		if err != nil {
			return Result{}, refusal(err)
		}
		return s.await(ctx, req, r, s.options.Wait)
	}
	r, err := s.read(ctx, full)
	r.Message = "Nothing of it is being played here. " + r.Message
	return r, err
}

func (s *Server) read(ctx context.Context, id string) (Result, error) {
	session, err := s.debates.Read(ctx, id)
	if err != nil {
		return Result{}, err
	}
	by, held := s.elsewhere(session.ID)
	if !held {
		return resultOf(session), nil
	}
	r := liveResult(session, report.Options{Live: true, Holder: by})
	r.HeldBy = by.String()
	r.Message = by.Doing(session) + " It goes on there, or here once it is closed there; wait_roundtable waits."
	if by.Plays(session) {
		r.Status, r.Next = running, "wait_roundtable"
	}
	return r, nil
}

func (s *Server) synthesize(ctx context.Context, req *mcp.CallToolRequest, in sessionInput) (*mcp.CallToolResult, Result, error) {
	return s.changeAndWait(ctx, req, in.SessionID, func(c *control.Controller) error {
		session := c.Session()
		switch {
		case session.Verdict != nil, c.Running():
			return nil
		case session.Due(time.Now()).Action != debate.WriteVerdict:
			return fmt.Errorf("round %d of %d is not played yet: continue_roundtable plays it, and control_session "+
				"with the action stop ends the debate with a verdict on what there is", max(len(session.History), 1), session.Rounds)
		}
		_, err := c.Act(s.ctx, control.Continue, control.Values{})
		return refusal(err)
	})
}

// poll is how often a stored session is read while a call waits for an answer by another
// door.
const poll = time.Second

// wait waits for the end of what is under way, or for an answer to what is asked.
func (s *Server) wait(ctx context.Context, req *mcp.CallToolRequest, in waitInput) (*mcp.CallToolResult, Result, error) {
	id, err := s.debates.Resolve(ctx, in.SessionID)
	if err != nil {
		return nil, Result{}, err
	}
	atMost := s.options.Wait
	if in.Seconds > 0 {
		atMost = min(atMost, time.Duration(in.Seconds)*time.Second)
	}
	for until := time.Now().Add(atMost); ; {
		if r := s.underWay(id); r != nil {
			result, err := s.await(ctx, req, r, time.Until(until))
			return nil, result.after(in.Since), err
		}
		result, err := s.read(ctx, id)
		if err != nil {
			return nil, Result{}, err
		}
		result = result.after(in.Since)
		asks := result.Status == needsContext && in.Since != nil && len(result.Updates) == 0
		if !asks && result.Status != running || time.Until(until) <= 0 {
			return nil, result, s.failureOf(id, result.Cursor)
		}
		select {
		case <-time.After(min(poll, time.Until(until))):
		case <-ctx.Done():
			return nil, Result{}, ctx.Err()
		}
	}
}

// clientOf names the client of a call; "" if it did not say.
func clientOf(req *mcp.CallToolRequest) string {
	if req == nil || req.ClientInfo() == nil {
		return ""
	}
	return text.Label(req.ClientInfo().Name)
}

// refusal returns why an action is not possible, with the action that is.
func refusal(err error) error {
	var reason *control.Reason
	if errors.As(err, &reason) && reason.Instead != "" {
		return fmt.Errorf("%s control_session with the action %s: %s", reason.Text, reason.Instead, reason.Verb)
	}
	return err
}
