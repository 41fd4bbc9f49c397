package mcpserver

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// formVersion is the first protocol version with forms in results; before it the server asks by a request.
const formVersion = "2026-07-28"

const formID = "answers"

// unavailablePrefix begins what a person enters in a field when there is no answer.
const unavailablePrefix = "unavailable:"

type forms struct {
	open     bool                // one is at the person
	declined bool                // the person closed it; the next call that plays shows it again
	closed   int                 // how often in a row it was closed without an answer
	proposed map[string][]string // what an assistant would answer, by request, the newest last
	shown    map[string][]string // of it, what the last form knew
	kept     map[string]any      // what the person entered and could not be stored, by request
	note     string              // what has become of the last one, in sentences
}

// maxClosed is how often in a row a form may be closed. An unattended client closes every form.
const maxClosed = 3

func (s *Server) canAsk(req *mcp.CallToolRequest, session string) bool {
	c := req.ClientCapabilities()
	h, release := s.guarded(session)
	defer release()
	return s.options.Elicit && !s.formsFail && h.forms.closed < maxClosed && c != nil && c.Elicitation != nil &&
		(c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// formState reports whether a form is at the person, and whether the client has to be told how the last one ended.
func (s *Server) formState(session string) (open, ended bool) {
	h, release := s.guarded(session)
	defer release()
	return h.forms.open, h.forms.note != ""
}

// asking returns a tool that shows the person a form where its result lists open questions,
// if the client can. Its result has no schema, which would be as long in each such tool.
func asking[In any](s *Server, h mcp.ToolHandlerFor[In, Result]) mcp.ToolHandlerFor[In, any] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		if req.Params.RequestState != "" {
			id, err := s.takeForm(req)
			if err != nil {
				return nil, Result{}, err
			}
			if req.Params.Name != "continue_roundtable" {
				r, err := s.read(ctx, id)
				return nil, s.noted(r), err
			}
		}
		res, r, err := h(ctx, req, in)
		if err != nil || res != nil {
			return res, Result{}, err
		}
		if r = s.noted(r); r.Status != needsContext {
			return nil, r, nil
		}
		return s.ask(req, r)
	}
}

func (s *Server) ask(req *mcp.CallToolRequest, r Result) (*mcp.CallToolResult, Result, error) {
	if !s.canAsk(req, r.SessionID) {
		waits, _, _ := strings.Cut(r.Message, " continue_roundtable") // who may answer is said instead
		r.Message = waits + " " + s.howToAnswer(r.SessionID)
		return nil, r, nil
	}
	h, release := s.guarded(r.SessionID)
	defer release()
	if h.forms.declined {
		return nil, r, nil
	}
	params := formOf(r.open, h.forms)
	params.Message = text.Join(" ", r.formNote, params.Message)
	if req.ProtocolVersion() >= formVersion {
		h.forms.shown = maps.Clone(h.forms.proposed)
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{formID: params}, RequestState: s.sign(r.SessionID, fmt.Sprint(r.CurrentRound)),
		}, Result{}, nil
	}
	if !h.forms.open {
		h.forms.open, h.forms.shown = true, maps.Clone(h.forms.proposed)
		s.playing.Go(func() { s.showForm(req, r.SessionID, params) })
	}
	r.Next = "wait_roundtable"
	r.Message = text.Join(" ", r.formNote, "A form with the questions is open at the person. wait_roundtable returns when it is closed.")
	return nil, r, nil
}

// showForm asks the person through a client of an earlier protocol version, however long it takes.
func (s *Server) showForm(req *mcp.CallToolRequest, id string, params *mcp.ElicitParams) {
	res, err := req.Session.Elicit(s.ctx, params)
	if err == nil {
		err = s.enter(id, clientOf(req), res)
	}
	h, release := s.guarded(id)
	defer release()
	h.forms.open = false
	if err == nil || s.ctx.Err() != nil {
		return
	}
	h.forms.note = "No answer of the form is stored: " + sentence(err) + "."
	_, s.formsFail = errors.AsType[*jsonrpc.Error](err) // the client's, which cannot show it
}

// takeForm stores the answers of a form that came with a repeated call, and returns the session.
func (s *Server) takeForm(req *mcp.CallToolRequest) (string, error) {
	id, rest, _ := strings.Cut(req.Params.RequestState, ".")
	round, _, _ := strings.Cut(rest, ".")
	if !hmac.Equal([]byte(req.Params.RequestState), []byte(s.sign(id, round))) {
		return "", errors.New("requestState is not of this server: call the tool again without it")
	}
	res, ok := req.Params.InputResponses[formID].(*mcp.ElicitResult)
	if !ok {
		res = &mcp.ElicitResult{Action: "cancel"}
	}
	return id, s.enter(id, clientOf(req), res)
}

// enter stores what a person entered. What was answered by another door meanwhile stays.
func (s *Server) enter(id, client string, res *mcp.ElicitResult) error {
	if res.Action != "accept" {
		h, release := s.guarded(id)
		defer release()
		h.forms.declined, h.forms.note = true, "The form was closed without an answer."
		if h.forms.closed++; h.forms.closed == maxClosed {
			h.forms.note = fmt.Sprintf("The form was closed %d times without an answer, so this debate shows no more of them.", maxClosed)
		}
		return nil
	}
	h, release := s.guarded(id)
	proposed := h.forms.shown
	release()
	var v control.Values
	var note string
	_, _, err := s.change(s.ctx, nil, id, func(c *control.Controller) error {
		v.Answers, note = entered(c.Session(), client, proposed, res.Content)
		if len(v.Answers) == 0 {
			return nil
		}
		_, err := c.Act(s.ctx, control.Answer, v)
		return err
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		h.forms.kept = res.Content
		return err
	}
	for _, a := range v.Answers {
		delete(h.forms.proposed, a.Request)
	}
	h.forms.kept, h.forms.note, h.forms.closed = nil, note, 0
	return nil
}

// entered returns the answers of a form, and what to know of the others. What has no words
// answers nothing: the request stays open, and the next form shows it again.
func entered(session debate.Session, client string, proposed map[string][]string, content map[string]any,
) (answers []ledger.Submission, note string) {
	var late, notes []string
	for _, q := range session.Requests {
		words, _ := content[q.ID].(string)
		if words = strings.TrimSpace(text.Clean(words)); words == "" {
			continue
		}
		if !q.Open() {
			late = append(late, q.ID)
			continue
		}
		by := ledger.Author{Kind: ledger.Person, Door: "form", Client: client}
		for _, one := range proposed[q.ID] {
			by = by.Accepted(client, one, words)
		}
		sub := ledger.Submission{Request: q.ID, Outcome: ledger.Answered, Content: words, By: by}
		if n := len(unavailablePrefix); len(words) >= n && strings.EqualFold(words[:n], unavailablePrefix) {
			sub.Outcome, sub.Content = ledger.Unavailable, strings.TrimSpace(words[n:])
		}
		if ledger.HasWords(sub.Content) {
			answers = append(answers, sub)
		} else {
			notes = append(notes, fmt.Sprintf("%s needs a reason after \"%s\".", q.ID, unavailablePrefix))
		}
	}
	return answers, text.Join(" ", append(notes, tooLate(late))...)
}

func tooLate(requests []string) string {
	if len(requests) == 0 {
		return ""
	}
	return text.List(requests) + " had an answer already, which stays; what came later for it is not used."
}

// formOf returns a form with a field for each question, with what was entered before or an assistant proposes.
func formOf(asked []report.Request, f forms) *mcp.ElicitParams {
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, q := range asked {
		field := &jsonschema.Schema{Type: "string", Title: q.Request + ": " + text.Line(q.Query)}
		for _, a := range q.Asks {
			if !a.Withdrawn {
				field.Description += fmt.Sprintf("%s asks: %s ", a.Agent, text.Sentence(text.Line(a.Reason)))
			}
		}
		field.Description += fmt.Sprintf("Without an answer, write \"%s\" and why.", unavailablePrefix)
		words, whose := fmt.Sprint(cmp.Or(f.kept[q.Request], any(""))), "You wrote"
		if n := len(f.proposed[q.Request]); words == "" && n > 0 {
			words, whose = f.proposed[q.Request][n-1], "The assistant proposes"
		}
		if words != "" {
			field.Default, _ = json.Marshal(words)
			field.Description += fmt.Sprintf(" %s: %s", whose, text.Line(words)) // there are clients that ignore the default
		}
		if q.Priority == ledger.Required {
			schema.Required = append(schema.Required, q.Request)
		}
		schema.Properties[q.Request] = field
		schema.PropertyOrder = append(schema.PropertyOrder, q.Request)
	}
	return &mcp.ElicitParams{
		Mode:            "form",
		Message:         "The panel asks you for facts that it lacks. Your answers go to all seats in the next round.",
		RequestedSchema: schema,
	}
}

// propose keeps an assistant's answers for the form, in which the person decides.
func (s *Server) propose(session debate.Session, answers []ledger.Submission) {
	h, release := s.guarded(session.ID)
	defer release()
	if h.forms.declined = false; h.forms.proposed == nil {
		h.forms.proposed = map[string][]string{}
	}
	var late []string
	for _, a := range answers {
		if q, _ := session.Request(a.Request); !q.Open() {
			late = append(late, a.Request)
			continue
		}
		words := a.Content
		if a.Outcome == ledger.Unavailable {
			words = unavailablePrefix + " " + words
		}
		h.forms.proposed[a.Request] = append(h.forms.proposed[a.Request], words)
	}
	h.forms.note = cmp.Or(tooLate(late), h.forms.note)
}

func (s *Server) note(id string, sentences []string) {
	h, release := s.guarded(id)
	defer release()
	h.notes = append(h.notes, sentences...)
}

// noted adds what to know of what was brought, and once what has become of the last form.
func (s *Server) noted(r Result) Result {
	h, release := s.guarded(r.SessionID)
	defer release()
	r.Notices = append([]string{}, slices.Concat(h.notes, r.Notices)...)
	r.formNote, h.forms.note = h.forms.note, ""
	r.Message = text.Join(" ", r.formNote, r.Message)
	return r
}

// sign returns the state of a call that is to be repeated after a round. Only this process can make one.
func (s *Server) sign(session, round string) string {
	m := hmac.New(sha256.New, s.secret[:])
	m.Write([]byte(session + "." + round))
	return fmt.Sprintf("%s.%s.%x", session, round, m.Sum(nil))
}
