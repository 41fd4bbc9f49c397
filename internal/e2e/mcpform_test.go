//go:build unix

package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
)

// personAtForm answers the forms of a client.
type personAtForm struct {
	shown   chan *mcp.ElicitParams
	answers chan *mcp.ElicitResult
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
			env, person := home(t), &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
			c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: version}, env, shortWaits(t)...)
			old := version < "2026"

			// The form lists the questions. Closed, it leaves them open, and is not shown again by itself.
			person.answers <- &mcp.ElicitResult{Action: "decline"}
			begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
			if refused != "" || begun.Status != "needs_context" || len(begun.ContextRequests) == 0 {
				t.Fatalf("%s %+v", refused, begun)
			}
			form := <-person.shown
			schema, err := json.Marshal(form.RequestedSchema)
			if err != nil || !strings.Contains(string(schema), begun.ContextRequests[0].Query) || !strings.Contains(string(schema), "unavailable:") {
				t.Errorf("%v: the form is %s", err, schema)
			}
			id := map[string]any{"sessionId": begun.SessionID}
			for range 2 {
				if r, refused := c.call("wait_roundtable", id); refused != "" || r.Status != "needs_context" {
					t.Errorf("%s %+v", refused, r)
				}
			}
			if n := len(person.shown); n != 0 {
				t.Errorf("a form that was closed was shown %d times more", n)
			}

			// What the assistant would answer stands in the field, and is no answer.
			person.answers <- &mcp.ElicitResult{Action: "accept", Content: map[string]any{"C1": "Three days.", "C2": "Unavailable: nobody knows"}}
			next, refused := c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID, "contextResults": []any{
				map[string]any{"requestId": "C1", "result": "Two days."},
			}})
			form = <-person.shown
			if schema, err = json.Marshal(form.RequestedSchema); err != nil || !strings.Contains(string(schema), `"default":"Two days."`) ||
				!strings.Contains(string(schema), "The assistant proposes: Two days.") {
				t.Errorf("%v: the form is %s", err, schema)
			}
			if refused != "" || old != (next.Status == "needs_context") {
				t.Fatalf("%s %+v", refused, next)
			}
			if old { // the call did not wait for the person
				for range 50 {
					next, refused = c.call("wait_roundtable", id)
					if refused != "" || next.Status != "needs_context" {
						break
					}
				}
				if next, refused = c.call("continue_roundtable", id); refused != "" {
					t.Fatal(refused)
				}
			}
			if next.Status != "completed" || strings.Contains(next.Verdict.Headline, " by test") {
				t.Errorf("%s %+v", refused, next.Verdict)
			}
			out, err := program(t, env, "requests", begun.SessionID, "--json").CombinedOutput()
			for _, want := range []string{"Three days.", "nobody knows", `"door": "form"`, `"client": "test"`, `"kind": "person"`} {
				if err != nil || !strings.Contains(strings.ReplaceAll(string(out), `":"`, `": "`), want) {
					t.Errorf("%v: no %s in %s", err, want, out)
				}
			}
			if strings.Contains(string(out), "Two days.") {
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
			person := &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
			c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: version}, home(t), shortWaits(t)...)
			for range 3 {
				person.answers <- &mcp.ElicitResult{Action: "cancel"}
			}
			r, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
			answers := map[string]any{"sessionId": r.SessionID, "contextResults": []any{map[string]any{"requestId": "C1", "result": "Two days."}}}
			said := r.Message
			for range 9 {
				r, refused = c.call("continue_roundtable", answers)
				if said += r.Message; r.Status == "completed" {
					break
				}
				r, _ = c.call("wait_roundtable", map[string]any{"sessionId": answers["sessionId"]}) // an earlier protocol tells it later
				said += r.Message
			}
			if refused != "" || r.Status != "completed" || !strings.Contains(r.Verdict.Headline, " · C1 by test") {
				t.Errorf("%s %+v", refused, r)
			}
			if !strings.Contains(said, "closed 3 times without an answer") || len(person.shown) != 3 {
				t.Errorf("%d forms, told: %s", len(person.shown), said)
			}
		})
	}
}

// What was answered by another door while the form was open stays, and the client is told.
func TestMCP_anotherDoorWinsOverTheForm(t *testing.T) {
	t.Parallel()
	env, person := home(t), &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
	c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}, env)
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" {
		t.Fatal(refused)
	}
	<-person.shown
	if out, err := program(t, env, "answer", begun.SessionID, "C1", "--text", "By hand.").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	person.answers <- &mcp.ElicitResult{Action: "accept", Content: map[string]any{"C1": "Too late.", "C2": "In May."}}
	r := begun
	for range 50 {
		if r, _ = c.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID}); strings.Contains(r.Message, "C1 had") {
			break
		}
	}
	out, err := program(t, env, "requests", begun.SessionID).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "By hand.") || strings.Contains(string(out), "Too late.") || !strings.Contains(string(out), "In May.") {
		t.Errorf("%v: %s", err, out)
	}
	if !strings.Contains(r.Message, "C1 had an answer already") {
		t.Errorf("%+v", r)
	}
}

// A field without words answers nothing, and takes no other answer of the form with it.
func TestMCP_aFieldWithoutWordsAnswersNothing(t *testing.T) {
	t.Parallel()
	for _, entered := range []string{"...", "unavailable: -", "\u2800"} {
		t.Run(entered, func(t *testing.T) {
			t.Parallel()
			env, person := home(t), &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
			c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"}, env)
			person.answers <- &mcp.ElicitResult{Action: "accept", Content: map[string]any{"C1": entered, "C2": "In May."}}
			person.answers <- &mcp.ElicitResult{Action: "decline"} // the next form, with what is still open
			begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
			if refused != "" || begun.Status != "needs_context" || len(begun.ContextRequests) != 1 || begun.ContextRequests[0].RequestID != "C1" {
				t.Errorf("%s %+v", refused, begun)
			}
			out, err := program(t, env, "requests", begun.SessionID).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "In May.") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// A client that says that it shows forms and cannot, and one that may not, answer themselves.
func TestMCP_withoutAFormTheAssistantAnswers(t *testing.T) {
	t.Parallel()
	answer := map[string]any{"contextResults": []any{map[string]any{"requestId": "C1", "result": "Two days."}}}
	for name, test := range map[string]struct {
		config string
		want   string // in the headline; "": the gate stays shut
	}{
		"fails":   {"", " · C1 by test"},
		"off":     {"elicit = false\n", " · C1 by test"},
		"counts":  {"elicit = false\nassistant_answers = \"count\"\n", "Yes"},
		"blocked": {"elicit = false\nassistant_answers = \"block\"\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, person := home(t), &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
			person.answers <- nil // an error
			config := seated(t, "http://127.0.0.1:1", "[mcp]\n"+test.config, 2)
			c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}, env, "--config", config)
			begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
			if refused != "" || begun.Status != "needs_context" {
				t.Fatalf("%s %+v", refused, begun)
			}
			args := map[string]any{"sessionId": begun.SessionID, "contextResults": answer["contextResults"]}
			r := begun
			for range 50 { // until the server knows that there is no form
				if r, refused = c.call("continue_roundtable", args); r.Status != "needs_context" {
					break
				}
			}
			if test.want == "" {
				if !strings.Contains(refused, "Only the person can answer") || !strings.Contains(refused, "[C1]") {
					t.Errorf("%q %+v", refused, r)
				}
				return
			}
			if refused != "" || r.Verdict == nil || !strings.Contains(r.Verdict.Headline, test.want) {
				t.Errorf("%s %+v", refused, r.Verdict)
			}
			if caution := slices.Contains([]string{"fails", "off"}, name); r.Verdict != nil && strings.Contains(r.Verdict.Headline, " by test") != caution {
				t.Errorf("%s", r.Verdict.Headline)
			}
		})
	}
}

// Words that the assistant proposed and the person left as they are say so, and are the
// person's; a form with one line may have changed their white space. Changed words are the person's own.
func TestMCP_anAcceptedProposalNamesWhoMadeIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ entered, said string }{
		"accepted":    {"Two days, or three.", "proposed by “test”, accepted by you"},
		"one line":    {" Two days,  or three. ", "proposed by “test”, accepted by you"},
		"an earlier":  {"One day.", "proposed by “test”, accepted by you"},
		"changed":     {"Two days, or four.", ""},
		"their own":   {"Five days.", ""},
		"unavailable": {"unavailable: Two days, or three.", ""},
	} {
		for _, version := range []string{"2025-06-18", "2026-07-28"} {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel()
				env, person := home(t), &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
				c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: version}, env, shortWaits(t)...)
				propose := func(r panelResult, words string) panelResult {
					r, refused := c.call("continue_roundtable", map[string]any{"sessionId": r.SessionID, "contextResults": []any{
						map[string]any{"requestId": "C1", "result": words},
					}})
					if refused != "" {
						t.Fatal(refused)
					}
					for version < "2026" && r.Status == "needs_context" && len(person.answers) > 0 {
						r, _ = c.call("wait_roundtable", map[string]any{"sessionId": r.SessionID})
					}
					return r
				}
				for range 2 {
					person.answers <- &mcp.ElicitResult{Action: "decline"}
				}
				begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
				if refused != "" {
					t.Fatal(refused)
				}
				c.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID})
				propose(begun, "One day.")
				c.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID})
				person.answers <- &mcp.ElicitResult{Action: "accept", Content: map[string]any{"C1": test.entered}}
				propose(begun, "Two days,\nor three.")
				for range 9 {
					if r, _ := c.call("wait_roundtable", map[string]any{"sessionId": begun.SessionID}); r.Status != "needs_context" {
						break
					}
				}
				code, out := headless(t, env, "continue", begun.SessionID, "--require-person")
				if code != 0 {
					t.Errorf("exit %d: %s", code, out)
				}
				_, out = headless(t, env, "requests", begun.SessionID, "--json")
				if got := strings.Contains(out, `"proposed_by": "test"`); got != (test.said != "") || !strings.Contains(out, `"kind": "person"`) {
					t.Errorf("%s", out)
				}
				_, out = headless(t, env, "show", begun.SessionID)
				if strings.Contains(out, "answered by") || strings.Contains(out, "proposed by") != (test.said != "") || !strings.Contains(out, test.said) {
					t.Errorf("%s", out)
				}
			})
		}
	}
}

// While a form is open, waiting means waiting for the person.
func TestMCP_waitsWhileAFormIsOpen(t *testing.T) {
	t.Parallel()
	person := &personAtForm{make(chan *mcp.ElicitParams, 9), make(chan *mcp.ElicitResult, 9)}
	c := callPanelsWith(t, person.fill, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}, home(t), shortWaits(t)...)
	begun, refused := c.call("start_roundtable", map[string]any{"topic": debate.DemoTopic, "panel": "demo", "rounds": 2})
	if refused != "" || begun.Next != "wait_roundtable" {
		t.Fatalf("%s %+v", refused, begun)
	}
	<-person.shown
	id := map[string]any{"sessionId": begun.SessionID}
	before := time.Now()
	if r, refused := c.call("wait_roundtable", id); refused != "" || r.Status != "needs_context" || time.Since(before) < time.Second {
		t.Errorf("after %v: %s %+v", time.Since(before), refused, r)
	}
	waited := make(chan panelResult, 1)
	go func() {
		r, _ := c.call("wait_roundtable", id)
		waited <- r
	}()
	person.answers <- &mcp.ElicitResult{Action: "accept", Content: map[string]any{"C1": "Two days."}}
	r := <-waited
	for r.Status == "needs_context" { // the wait ended a moment before
		r, _ = c.call("wait_roundtable", id)
	}
	if r.Status != "in_progress" {
		t.Errorf("%+v", r)
	}
}

// shortWaits are arguments of a server whose calls wait for two seconds at the most.
func shortWaits(t *testing.T) []string {
	return []string{"--config", seated(t, "http://127.0.0.1:1", "[mcp]\nwait = \"2s\"\n", 2)}
}
