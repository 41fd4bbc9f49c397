//go:build unix

package e2e_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/internal/e2e/endpoint"
)

// asksOnce answers as members of a debate of two rounds of which the first asks for a
// fact, each with a vote.
func asksOnce(r endpoint.Request) endpoint.Reply {
	if r.Model == "m1" && strings.Contains(r.Messages[1].Content, "round 1 of 2") && r.Last().Role != "tool" {
		return endpoint.Reply{Call: `{"query":"How many writes?","reason":"it decides","priority":"required"}`}
	}
	return endpoint.Reply{Text: "So says " + r.Model + ".\n```json\n{\"position\":\"Yes.\",\"vote\":\"yes\",\"confidence\":0.7}\n```"}
}

// One debate, whichever way it is played: by keys in the interface, by commands, or by an
// assistant. The seats speak one after the other, so that the order of rows is the same.
func TestDoors_leaveTheSameRows(t *testing.T) {
	skipShort(t)
	t.Parallel()
	const topic, answer, source = "Is it so?", "42 a second", "the log"
	doors := []struct {
		name string
		play func(t *testing.T, env []string, config string)
	}{
		{"commands", func(t *testing.T, env []string, config string) {
			runs(t, env, 3, "--config", config, "run", topic, "--rounds", "2", "--mode", "socratic")
			id := sessions(t, env)[0].ID
			runs(t, env, 0, "answer", id, "C1", "--text", answer, "--source", source)
			runs(t, env, 0, "--config", config, "continue", id)
		}},
		{"interface", func(t *testing.T, env []string, config string) {
			tm := open(t, env, 100, 30, "--config", config, "new", "--rounds", "2", "--mode", "socratic")
			tm.await("New debate", "M1 m1")
			tm.send(topic)
			tm.await(topic)
			tm.send(ctrlS)
			tm.entersForm()
			tm.send(answer + "\t")
			tm.await(answer)
			tm.send(source)
			tm.await(source, "draft saved")
			tm.send(ctrlS)
			tm.await("C1 saved", "enter starts round 2 with 1 answer")
			tm.send(ctrlS)
			tm.await("Verdict ready.")
			tm.leaves("q", "q")
		}},
		{"MCP", func(t *testing.T, env []string, config string) {
			c := callPanels(t, env, "--config", config)
			begun := c.start("needs_context", map[string]any{"topic": topic, "rounds": 2, "mode": "socratic"})
			// An answer of the client itself is another one: the prompt says who gave it.
			runs(t, env, 0, "answer", begun.SessionID, "C1", "--text", answer, "--source", source)
			end, refused := c.call("continue_roundtable", map[string]any{"sessionId": begun.SessionID})
			if refused != "" || end.Status != "completed" {
				t.Fatalf("continue: %s %+v", refused, end)
			}
			c.Close()
		}},
	}
	srv := endpoint.New(t, asksOnce)
	config := seated(t, srv.URL, "[mcp]\nbudget = 0\n", 2) // which other doors do not have
	rows := make([][]string, len(doors))
	for i, door := range doors {
		env := home(t)
		door.play(t, env, config)
		rows[i] = comparableRows(t, env)
	}
	for _, table := range []string{"sessions", "rounds", "turns", "calls", "context_events", "documents", "texts"} {
		if !slices.ContainsFunc(rows[0], func(row string) bool { return strings.HasPrefix(row, table+": ") }) {
			t.Errorf("the debate has no rows in %s:\n%s", table, strings.Join(rows[0], "\n"))
		}
	}
	for i, door := range doors[1:] {
		if d := cmp.Diff(rows[0], rows[i+1]); d != "" {
			t.Errorf("%s leaves other rows (+) than %s (-):\n%s", door.name, doors[0].name, d)
		}
	}
}

// What differs from one debate to the next: times, and what is made of random ids. The
// tokens of a call are estimated with the random mark in its texts.
var (
	timeOfDay = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)`)
	inBodies  = regexp.MustCompile(`"(SnapshotHash|Hash|Estimate|Took|Nonce|seed)":("[^"]*"|\d+)`)
	byDoor    = regexp.MustCompile(` · C1 by a command(?:\n“yes”, 1 of 1)?|[Cc]1 by a command, the topic by [^\\\n]*(?:\n|\\n)|, from a command`)
	author    = regexp.MustCompile(`"(Author)":{"kind":"(?:assistant|command)"|"(by)":{"kind":"command"`)
	doorField = regexp.MustCompile(`"door":"[^"]*"`)
	differing = []string{
		"created", "updated", "deleted", "began", "ended", "at", "added", "approved", "took", "superseded", "due", "hash", "request", "call", "door",
	}
)

// comparableRows returns all rows of a database, without what differs from one debate to the next.
func comparableRows(t *testing.T, env []string) (lines []string) {
	t.Helper()
	w := (&trial{T: t, env: env}).open()
	ids := w.column("SELECT id FROM sessions")
	if len(ids) != 1 {
		t.Fatalf("there are %d sessions", len(ids))
	}
	same := strings.NewReplacer(ids[0], "SESSION", w.column("SELECT body ->> '$.Nonce' FROM sessions")[0], "NONCE")
	for _, table := range w.tables() {
		for _, row := range w.rows(table, differing...) {
			row = inBodies.ReplaceAllString(timeOfDay.ReplaceAllString(same.Replace(row), "TIME"), `"$1":set`)
			row = byDoor.ReplaceAllString(row, "")
			if doorField.MatchString(row) {
				row = author.ReplaceAllString(row, `"$1$2":{"kind":"person"`)
				row = doorField.ReplaceAllString(row, `"door":"DOOR"`)
			}
			lines = append(lines, table+": "+row)
		}
	}
	slices.Sort(lines)
	return lines
}
