//go:build unix

package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
	"roundtable/internal/testing/must"
)

// personAtForm answers the forms of a client.
type personAtForm struct {
	shown   chan *mcp.ElicitParams
	answers chan *mcp.ElicitResult
}

// newPerson returns a person who answers the forms of an assistant in turn.
func newPerson(answers ...*mcp.ElicitResult) *personAtForm {
	p := &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
	for _, a := range answers {
		p.answers <- a
	}
	return p
}

func closes(action string) *mcp.ElicitResult { return &mcp.ElicitResult{Action: action} }

func enters(fields map[string]any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: fields}
}

// demoDebate starts the debate of the demo, which asks C1 and C2.
func demoDebate(c *panelClient) panelResult {
	c.Helper()
	return c.start("needs_context", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
}

// answering returns the arguments of a continue call in which the assistant answers C1.
func answering(id, result string) map[string]any {
	return map[string]any{"sessionId": id, "contextResults": []any{map[string]any{"requestId": "C1", "result": result}}}
}

// showsForms starts a server whose calls wait for two seconds at the most, for an assistant
// that shows forms.
func showsForms(t *testing.T, env []string, version string, p *personAtForm, more string) *panelClient {
	t.Helper()
	config := seated(t, "http://127.0.0.1:1", "[mcp]\nwait = \"2s\"\n"+more, 2)
	return connect(t, "test", version, p.fill, program(t, env, "mcp", "--config", config))
}

// reads returns the fields of the next form.
func (p *personAtForm) reads(t *testing.T) string {
	t.Helper()
	return string(must.Get(json.Marshal((<-p.shown).RequestedSchema))(t))
}

func (p *personAtForm) fill(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	p.shown <- req.Params
	select {
	case res := <-p.answers:
		if res == nil {
			return nil, errors.New("no window")
		}
		return res, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(patience):
		return nil, errors.New("a form too many")
	}
}

// The person answers in a form of their assistant, whichever protocol it speaks: what they
// enter is theirs, what the assistant proposes is not, and no call has to last as long.
func TestMCP_thePersonAnswersInAForm(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			env, person := home(t), newPerson(closes("decline"))
			c := showsForms(t, env, version, person, "")

			// The form lists the questions. Closed, it leaves them open, and is not shown again by itself.
			begun := demoDebate(c)
			if form := person.reads(t); !strings.Contains(form, begun.ContextRequests[0].Query) || !strings.Contains(form, "unavailable:") {
				t.Errorf("the form is %s", form)
			}
			id := map[string]any{"sessionId": begun.SessionID}
			if r, refused := c.call("wait_roundtable", id); refused != "" || r.Status != "needs_context" || len(person.shown) > 0 {
				t.Errorf("%d forms more: %s %+v", len(person.shown), refused, r)
			}

			// What the assistant would answer stands in the field, and is no answer.
			person.answers <- enters(map[string]any{"C1": "Three days.", "C2": "Unavailable: nobody knows"})
			args := answering(begun.SessionID, "Two days.")
			args["focusQuestion"] = "What if not?"
			args["evidence"] = []any{map[string]any{"name": "log", "text": "Peak 42."}}
			next, refused := c.call("continue_roundtable", args)
			form := person.reads(t)
			if !strings.Contains(form, `"default":"Two days."`) || !strings.Contains(form, "The assistant proposes: Two days.") {
				t.Errorf("the form is %s", form)
			}
			old := version < "2026" // whose calls do not wait for the person
			if refused != "" || old != (next.Status == "needs_context") {
				t.Fatalf("%s %+v", refused, next)
			}
			if old {
				c.until("wait_roundtable", id, is("in_progress"))
			}
			if next.Status != "completed" {
				next = c.until("continue_roundtable", id, is("completed"))
			}
			if next.Status != "completed" || strings.Contains(next.Verdict.Headline, " by test") {
				t.Errorf("%s %+v", refused, next.Verdict)
			}
			_, out := headless(t, env, "requests", begun.SessionID, "--json")
			for _, want := range []string{"Three days.", "nobody knows", `"door": "form"`, `"client": "test"`, `"kind": "person"`} {
				if !strings.Contains(strings.ReplaceAll(out, `":"`, `": "`), want) {
					t.Errorf("no %s in %s", want, out)
				}
			}
			_, doc := headless(t, env, "export", begun.SessionID, "--format", "json", "-o", "-")
			if !strings.Contains(doc, `"What if not?"`) || !strings.Contains(doc, `"id": "F1"`) || strings.Contains(doc, `"id": "F2"`) {
				t.Errorf("focus and evidence are not there once: %s", doc)
			}
			if strings.Contains(out, "Two days.") {
				t.Errorf("the assistant's proposal is stored: %s", out)
			}
		})
	}
}

// A client that nobody watches closes each form. After three of them its own answers are taken,
// under its name.
func TestMCP_aClientThatClosesEachFormGetsOn(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			person := newPerson(closes("cancel"), closes("cancel"), closes("cancel"))
			c := showsForms(t, home(t), version, person, "")
			r := demoDebate(c)
			answers, said := answering(r.SessionID, "Two days."), r.Message
			for i := 0; i < 50 && r.Status != "completed"; i++ {
				tool, args := "continue_roundtable", answers
				if i%2 == 1 { // an earlier protocol tells it later
					tool, args = "wait_roundtable", map[string]any{"sessionId": answers["sessionId"]}
				}
				r, _ = c.call(tool, args)
				said += r.Message
			}
			if r.Status != "completed" || !strings.Contains(r.Verdict.Headline, " · C1 by test") {
				t.Errorf("%+v", r)
			}
			if !strings.Contains(said, "closed 3 times without an answer") || len(person.shown) != 3 {
				t.Errorf("%d forms, told: %s", len(person.shown), said)
			}
		})
	}
}

// What was answered by another door while the form was open ends the wait and stays, and the
// client is told.
func TestMCP_anotherDoorWinsOverTheForm(t *testing.T) {
	t.Parallel()
	env, person := home(t), newPerson()
	c := showsForms(t, env, "2025-11-25", person, "")
	id := map[string]any{"sessionId": demoDebate(c).SessionID}
	<-person.shown
	begun := time.Now()
	since := map[string]any{"sessionId": id["sessionId"], "since": "0-0"}
	if r, refused := c.call("wait_roundtable", since); refused != "" || r.Status != "needs_context" || time.Since(begun) < time.Second { // for the person
		t.Errorf("after %v: %s %+v", time.Since(begun), refused, r)
	}
	runs(t, env, 0, "answer", id["sessionId"].(string), "C1", "--text", "By hand.")
	c.until("wait_roundtable", id, is("in_progress"))
	person.answers <- enters(map[string]any{"C1": "Too late.", "C2": "In May."})
	c.until("wait_roundtable", id, func(r panelResult) bool { return strings.Contains(r.Message, "C1 had an answer already") })
	_, out := headless(t, env, "requests", id["sessionId"].(string))
	if !strings.Contains(out, "By hand.") || strings.Contains(out, "Too late.") || !strings.Contains(out, "In May.") {
		t.Error(out)
	}
}

// Answers that cannot be stored, since the debate is open elsewhere, are shown again in the next form.
func TestMCP_aFormThatCannotBeStoredComesBack(t *testing.T) {
	t.Parallel()
	env, person := home(t), newPerson()
	c := showsForms(t, env, "2025-11-25", person, "")
	begun := demoDebate(c)
	<-person.shown
	tm := open(t, env, 80, 24, "resume", begun.SessionID)
	tm.await("How many servers")
	person.answers <- enters(map[string]any{"C1": "A week."})
	id := map[string]any{"sessionId": begun.SessionID}
	c.until("wait_roundtable", id, func(r panelResult) bool {
		return strings.Contains(r.Message, "No answer of the form is stored: Open in another")
	})
	tm.kill()
	c.until("wait_roundtable", id, func(r panelResult) bool { return r.HeldBy == "" })
	if form := person.reads(t); !strings.Contains(form, "You wrote: A week.") {
		t.Error(form)
	}
	person.answers <- closes("decline")
}

// A field without words answers nothing, and takes no other answer of the form with it.
func TestMCP_aFieldWithoutWordsAnswersNothing(t *testing.T) {
	t.Parallel()
	env, person := home(t), newPerson(enters(map[string]any{"C1": "unavailable: \u2800", "C2": "In May."}))
	c := showsForms(t, env, "2026-07-28", person, "")
	begun := demoDebate(c)
	if len(begun.ContextRequests) != 1 || begun.ContextRequests[0].RequestID != "C1" || !strings.HasPrefix(begun.Message, "C1 needs a reason after") {
		t.Errorf("%+v", begun)
	}
	if _, out := headless(t, env, "requests", begun.SessionID); !strings.Contains(out, "In May.") {
		t.Error(out)
	}
}

// What answers an optional question once no form opens any more is stored as the assistant's.
func TestMCP_anAnswerForWhichNoFormOpensIsStored(t *testing.T) {
	t.Parallel()
	env, person := home(t), newPerson(enters(map[string]any{"C1": "Three days."}))
	c := showsForms(t, env, "2025-11-25", person, "")
	begun := demoDebate(c)
	c.until("wait_roundtable", map[string]any{"sessionId": begun.SessionID}, is("in_progress"))
	args := answering(begun.SessionID, "In May.")
	args["contextResults"].([]any)[0].(map[string]any)["requestId"] = "C2"
	if _, refused := c.call("continue_roundtable", args); refused != "" {
		t.Error(refused)
	}
	if _, out := headless(t, env, "requests", begun.SessionID); !strings.Contains(out, "In May.") || !strings.Contains(out, "from “test”") {
		t.Error(out)
	}
}

// A client that says that it shows forms and cannot, and one that may not, answer themselves,
// if the config lets them.
func TestMCP_withoutAFormTheAssistantAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  string
		want    string // in the headline; "": the gate stays shut
		caution bool
	}{
		"fails":   {"", "Yes", true},
		"counts":  {"elicit = false\nassistant_answers = \"count\"\n", "Yes", false},
		"blocked": {"elicit = false\nassistant_answers = \"block\"\n", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showsForms(t, home(t), "2025-11-25", newPerson(nil), test.config) // an error
			begun := demoDebate(c)
			answers := answering(begun.SessionID, "Two days.")
			var r panelResult
			refused := ""
			for range 50 { // until the server knows that there is no form
				if r, refused = c.call("continue_roundtable", answers); r.Status != "needs_context" {
					break
				}
			}
			if r.Status == "running" {
				r = c.until("wait_roundtable", map[string]any{"sessionId": r.SessionID}, settled)
			}
			if test.want == "" {
				if !strings.Contains(refused, "Only the person can answer") || !strings.Contains(refused, "[C1]") ||
					strings.Contains(begun.Message, "continue_roundtable") {
					t.Errorf("%q %+v", refused, r)
				}
				return
			}
			if refused != "" || r.Verdict == nil || !strings.Contains(r.Verdict.Headline, test.want) ||
				strings.Contains(r.Verdict.Headline, " · C1 by test") != test.caution {
				t.Errorf("%s %+v", refused, r.Verdict)
			}
		})
	}
}

// Words that the assistant proposed and the person left as they are say so, and are the
// person's; a form with one line may have changed their white space. Changed words are the person's own.
func TestMCP_anAcceptedProposalNamesWhoMadeIt(t *testing.T) {
	t.Parallel()
	const said = "proposed by “test”, accepted by you"
	for name, test := range map[string]struct {
		entered  string
		accepted bool
	}{
		"one line":    {" Two days,  or three. ", true},
		"an earlier":  {"One day.", true},
		"changed":     {"Two days, or four.", false},
		"unavailable": {"unavailable: Two days, or three.", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, person := home(t), newPerson(closes("decline"), closes("decline"), enters(map[string]any{"C1": test.entered}))
			c := showsForms(t, env, "2026-07-28", person, "")
			id := demoDebate(c).SessionID
			for _, proposed := range []string{"One day.", "Two days,\nor three."} {
				if _, refused := c.call("continue_roundtable", answering(id, proposed)); refused != "" {
					t.Fatal(refused)
				}
			}
			c.until("wait_roundtable", map[string]any{"sessionId": id}, settled)
			runs(t, env, 0, "continue", id, "--require-person")
			_, stored := headless(t, env, "requests", id, "--json")
			_, shown := headless(t, env, "show", id)
			if strings.Contains(stored, `"proposed_by": "test"`) != test.accepted || !strings.Contains(stored, `"kind": "person"`) {
				t.Error(stored)
			}
			if strings.Contains(shown, "answered by") || strings.Contains(shown, said) != test.accepted {
				t.Error(shown)
			}
		})
	}
}

// A proposal made while a form is open was not shown in it, so equal words count as the person's own.
func TestMCP_aProposalThatNoFormShowedIsAcceptedByNobody(t *testing.T) {
	t.Parallel()
	env, person := home(t), newPerson()
	c := showsForms(t, env, "2025-11-25", person, "")
	begun := demoDebate(c)
	<-person.shown
	if _, refused := c.call("continue_roundtable", answering(begun.SessionID, "No.")); refused != "" {
		t.Fatal(refused)
	}
	person.answers <- enters(map[string]any{"C1": "No."})
	c.until("wait_roundtable", map[string]any{"sessionId": begun.SessionID}, is("in_progress"))
	if _, out := headless(t, env, "requests", begun.SessionID); !strings.Contains(out, "No.") || strings.Contains(out, "accepted by you") {
		t.Error(out)
	}
}

// A call that comes once more with its form, since its answer was lost, plays no other round. What
// a client has not seen yet is not waited for.
func TestMCP_aFormIsTakenOnce(t *testing.T) {
	t.Parallel()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: newPerson().fill, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	c := must.Get(client.Connect(t.Context(), &mcp.CommandTransport{Command: program(t, home(t), "mcp")}, nil))(t)
	defer c.Close()
	call := func(tool string, args map[string]any, state string) *mcp.CallToolResult {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // less than the server waits
		defer cancel()
		filled := mcp.InputResponseMap{"answers": enters(map[string]any{"C1": "Three days."})}
		res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args, InputResponses: filled, RequestState: state})
		if err != nil || res.IsError {
			t.Fatalf("%v %+v", err, res)
		}
		return res
	}
	begun := call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 3}, "")
	id, _, _ := strings.Cut(begun.RequestState, ".")
	call("wait_roundtable", map[string]any{"sessionId": id, "since": "0-0"}, "") // at once
	form := call("continue_roundtable", answering(id, "Two days."), "")
	for range 2 {
		res := call("continue_roundtable", answering(id, "Two days."), form.RequestState)
		if played, _ := res.StructuredContent.(map[string]any); played["currentRound"] != 2.0 || played["status"] != "in_progress" {
			t.Errorf("%v", played)
		}
	}
}
