//go:build unix

package e2e_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
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
			if code, out := headless(t, env, "--config", config, "run", topic, "--rounds", "2", "--mode", "socratic"); code != 3 {
				t.Fatalf("run: exit code %d: %s", code, out)
			}
			id := sessions(t, env)[0].ID
			if code, out := headless(t, env, "answer", id, "C1", "--text", answer, "--source", source); code != 0 {
				t.Fatalf("answer: exit code %d: %s", code, out)
			}
			if code, out := headless(t, env, "--config", config, "continue", id); code != 0 {
				t.Fatalf("continue: exit code %d: %s", code, out)
			}
		}},
		{"interface", func(t *testing.T, env []string, config string) {
			tm := open(t, env, 100, 30, "--config", config, "new", "--rounds", "2", "--mode", "socratic")
			tm.await("New debate")
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
			tm.send("q")
			tm.send("q")
			if code := tm.end(); code != 0 {
				t.Errorf("exit code %d", code)
			}
		}},
		{"MCP", func(t *testing.T, env []string, config string) {
			c := callPanels(t, env, "--config", config)
			begun, refused := c.call("start_roundtable", map[string]any{"topic": topic, "rounds": 2, "mode": "socratic"})
			if refused != "" || begun.Status != "needs_context" {
				t.Fatalf("start: %s %+v", refused, begun)
			}
			// An answer of the client itself is another one: the prompt says who gave it.
			if code, out := headless(t, env, "answer", begun.SessionID, "C1", "--text", answer, "--source", source); code != 0 {
				t.Fatalf("answer: exit code %d: %s", code, out)
			}
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
		rows[i] = dump(t, databaseOf(t, env))
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
	timeOfDay   = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)`)
	madeOfIDs   = []string{"hash", "request"}
	inBodies    = regexp.MustCompile(`"(SnapshotHash|Hash|Estimate|Took|Nonce)":("[^"]*"|\d+)`) // that differ likewise
	byDoor      = regexp.MustCompile(` · C1 by a command(?:\n“yes”, 1 of 1)?|caution: C1 by .*\n|caution: the topic by .*\n`)
	timeColumns = []string{
		"created", "updated", "deleted", "began", "ended", "at", "added", "approved", "took", "superseded", "due",
	}
)

// dump returns all rows of a database, a line each, without what differs from one debate
// to the next. Of times only remains whether there is one.
func dump(t *testing.T, path string) []string {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(path)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ids := firstColumn(t, db, `SELECT id FROM sessions`)
	if len(ids) != 1 {
		t.Fatalf("there are %d sessions", len(ids))
	}
	random := []string{ids[0], "SESSION", firstColumn(t, db, `SELECT body ->> '$.Nonce' FROM sessions`)[0], "NONCE"}
	var lines []string
	for _, table := range firstColumn(t, db, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`) {
		lines = append(lines, dumpTable(t, db, table, strings.NewReplacer(random...))...)
	}
	slices.Sort(lines)
	return lines
}

// dumpTable returns the rows of a table, with what differs replaced.
func dumpTable(t *testing.T, db *sql.DB, table string, same *strings.Replacer) (lines []string) {
	t.Helper()
	rows, err := db.Query("SELECT * FROM " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		line := table + ": "
		for i, name := range names {
			line += fmt.Sprintf("%s=%s ", name, comparableText(name, values[i]))
		}
		line = byDoor.ReplaceAllString(line, "")
		line = strings.ReplaceAll(same.Replace(line), ", from a command", "") // so says the source of an answer
		if door := regexp.MustCompile(`"door":"[^"]*"`); door.MatchString(line) {
			line = strings.ReplaceAll(line, `"Author":{"kind":"assistant"`, `"Author":{"kind":"person"`)
			line = strings.ReplaceAll(line, `"by":{"kind":"command"`, `"by":{"kind":"person"`)
			line = door.ReplaceAllString(line, `"door":"DOOR"`)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// firstColumn returns the first column of a query's rows.
func firstColumn(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		out = append(out, v)
	}
	return out
}

// comparableText returns a value as text, and only whether there is one if it differs from
// one debate to the next.
func comparableText(column string, value any) string {
	switch {
	case value == nil:
		return "NULL"
	case slices.Contains(timeColumns, column) || slices.Contains(madeOfIDs, column), column == "call", column == "door": // of an assistant; itself
		return "set"
	}
	return inBodies.ReplaceAllString(timeOfDay.ReplaceAllString(fmt.Sprintf("%v", value), "TIME"), `"$1":set`)
}
