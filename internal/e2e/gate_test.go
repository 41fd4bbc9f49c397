//go:build unix

package e2e_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
)

// settlement is what a user does about the request C1, and what must come of it.
type settlement struct {
	name     string
	flags    []string // of `answer`; nil: nothing is done
	keys     string   // in the form
	told     string   // what the agents then read of it; "" when it settles nothing
	outcome  string   // that is then stored; "" for none
	required bool
}

// settlements are all ways of answering, for a request of each priority.
func settlements() []settlement {
	var out []settlement
	for _, required := range []bool{true, false} {
		out = append(out,
			settlement{"answered", []string{"--text", "42 a second"}, "42 a second", "42 a second", "answered", required},
			settlement{"unavailable", []string{"--unavailable", "nobody counts"}, ctrlX + "nobody counts", "nobody counts", "unavailable", required},
			settlement{"unavailable without a reason", []string{"--unavailable", ""}, ctrlX, "", "", required},
			settlement{"blank", []string{"--text", ""}, "", "", "", required},
			settlement{"white space", []string{"--text", " \t\u00a0\n"}, "  \n ", "", "", required},
			settlement{"nothing", nil, "", "", "", required},
		)
	}
	return out
}

// gated is a debate of two rounds that asks C1, and C2 where that does not block.
type gated struct {
	*testing.T
	settlement
	env    []string
	config string
	server *endpoint.Server
}

func newGated(t *testing.T, s settlement) *gated {
	g := &gated{T: t, settlement: s, env: home(t)}
	g.server = endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if strings.Contains(r.Messages[1].Content, "round 1 of 2") && r.Model == "m1" {
			results := 0
			for _, m := range r.Messages {
				if m.Role == "tool" {
					results++
				}
			}
			switch {
			case results == 0 && s.required:
				return endpoint.Reply{Call: `{"query":"How many?","reason":"it decides","priority":"required"}`}
			case results == 0:
				return endpoint.Reply{Call: `{"query":"How many?","reason":"it helps","priority":"optional"}`}
			case results == 1 && !s.required:
				return endpoint.Reply{Call: `{"query":"Who decides?","reason":"it decides","priority":"required"}`}
			}
		}
		return endpoint.Reply{Text: "So says " + r.Model + "."}
	})
	g.config = panelOf(t, g.server.URL, 2)
	return g
}

// run runs a command and returns its exit code and what it printed.
func (g *gated) run(args ...string) (int, string) {
	g.Helper()
	cmd := program(g.T, g.env, append([]string{"--config", g.config}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		g.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// settles reports whether what is done resolves C1.
func (g *gated) settles() bool { return g.told != "" }

// check looks at what has become of C1, at the gate or after the debate.
func (g *gated) check(id string, over bool) {
	g.Helper()
	told := 0
	for _, r := range g.server.Requests("") {
		if strings.Contains(r.Messages[1].Content, "round 2 of 2") && g.told != "" && strings.Contains(r.Messages[1].Content, g.told) {
			told++
		}
	}
	if want := map[bool]int{true: 2}[over && g.settles()]; told != want {
		g.Errorf("%d seats were given what the user said, want %d", told, want)
	}
	state := "pending"
	switch {
	case over && g.settles():
		state = "released"
	case over:
		state = "after_verdict"
	}
	_, out := g.run("requests", id, "--json")
	first, _, _ := strings.Cut(out, `"request": "C2"`)
	outcome := g.outcome == "" && !strings.Contains(first, "outcome") ||
		g.outcome != "" && strings.Contains(first, fmt.Sprintf(`"outcome": %q`, g.outcome))
	if !strings.Contains(first, fmt.Sprintf(`"state": %q`, state)) || !outcome {
		g.Errorf("C1 is not %s, outcome %q: %s", state, g.outcome, out)
	}
}

// What resolves a request, and what opens the gate, is the same for commands and
// for the form.
func TestGate_opensByTheSameAnswersForCommandsAndTheForm(t *testing.T) {
	for i, s := range settlements() {
		if testing.Short() && !s.required {
			continue
		}
		name := fmt.Sprintf("required %v, %s", s.required, s.name)
		t.Run("command, "+name, func(t *testing.T) {
			t.Parallel()
			g := newGated(t, s)
			if code, out := g.run("run", "Is it so?", "--rounds", "2"); code != 3 {
				t.Fatalf("exit code %d: %s", code, out)
			}
			id := sessions(t, g.env)[0].ID
			before := len(g.server.Requests(""))
			if s.flags != nil {
				want := map[bool]int{true: 0, false: 2}[g.settles()]
				if code, out := g.run(append([]string{"answer", id, "C1"}, s.flags...)...); code != want {
					t.Errorf("answer: exit code %d, want %d: %s", code, want, out)
				}
			}
			if !s.required {
				if code, out := g.run("continue", id); code != 3 || !strings.Contains(out, "Round 2 waits for C2") || len(g.server.Requests("")) != before {
					t.Errorf("with C2 open: exit code %d: %s", code, out)
				}
				if code, out := g.run("answer", id, "C2", "--text", "the board"); code != 0 {
					t.Fatalf("exit code %d: %s", code, out)
				}
			}
			open := g.settles() || !s.required
			want := map[bool]int{true: 0, false: 3}[open]
			if code, out := g.run("continue", id); code != want {
				t.Errorf("continue: exit code %d, want %d: %s", code, want, out)
			}
			if n := len(g.server.Requests("")); n != before && !open {
				t.Errorf("%d requests were sent after a refusal", n-before)
			}
			g.check(id, open)
		})
		if testing.Short() && i%2 != 0 {
			continue
		}
		t.Run("form, "+name, func(t *testing.T) {
			t.Parallel()
			g := newGated(t, s)
			tm := open(t, g.env, 80, 24, "--config", g.config, "new", "Is it so?", "--rounds", "2", "--start")
			tm.entersForm()
			before := len(g.server.Requests(""))
			if !s.required {
				tm.send("the board")
				tm.await("the board")
				tm.send("\t\t")
				tm.await("How many?", "helps")
			}
			tm.send(s.keys)
			if strings.HasPrefix(s.keys, ctrlX) {
				tm.await("unavailable because")
			}
			tm.send(ctrlS + ctrlS) // to the start row, and there
			id := sessions(t, g.env)[0].ID
			unavailable := s.keys == ctrlX
			switch {
			case unavailable:
				tm.await("Say why C1 is unavailable.")
			case s.required && !g.settles():
				tm.await("Not started: C1 needs an answer")
			default:
				tm.await("Verdict ready.")
				g.check(id, true)
				return
			}
			if n := len(g.server.Requests("")); n != before {
				t.Errorf("%d requests were sent after a refusal", n-before)
			}
			g.check(id, false)
		})
	}
}
