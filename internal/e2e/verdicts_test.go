//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
)

// told is a debate in which it is written down what everybody says, and what every door has
// to say of it.
type told struct {
	name    string
	args    []string
	said    [][]string // by round and seat: the structured part, or prose; the last holds for later rounds
	asks    bool       // the first seat asks C1 in round 1
	diff    int        // lines of a diff that is its evidence, with something in the middle that no prompt has room for
	require string     // a side
	code    int        // with require
	line    string     // the headline begins so
	kind    string     // of the result
}

func votes(labels ...string) []string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = fmt.Sprintf(`{"position": "So.", "vote": %q}`, l)
	}
	return out
}

func ranked(labels string) string { return `{"ranking": [` + labels + `]}` }

var toldDebates = []told{
	{
		name: "all change their mind in prose", args: []string{"--rounds", "2", "--question", "yes-no"},
		said:    [][]string{votes("yes", "yes", "yes"), {"No, on reflection.", "No.", "Rather not."}},
		require: "yes", code: 6, kind: "no_votes", line: "No votes of 3 · incomplete (",
	},
	{
		name: "five labels", args: []string{"--rounds", "1", "--question", "open"},
		said:    [][]string{votes("Postgres", "PostgreSQL", "PostgreSQL 17", "SQLite", "DuckDB")},
		require: "Postgres", code: 6, kind: "split", line: "Split of 5: Postgres 1, PostgreSQL 1, “PostgreSQL 17” 1, ",
	},
	{
		name: "four ballots", args: []string{"--rounds", "1", "--mode", "council"},
		said: [][]string{{
			ranked(`"nobody"`), ranked(`"Member 1", "Member 3", "Member 4"`), ranked(`"Member 1", "Member 2", "Member 4"`),
			ranked(`"Member 1", "Member 2", "Member 3"`),
		}},
		require: "yes", code: 2, kind: "ranking", line: "Adam first by points, ",
	},
	{
		name: "an answer decides", args: []string{"--rounds", "2", "--question", "yes-no"}, asks: true,
		said: [][]string{votes("undecided", "undecided", "undecided"), {
			`{"position": "So.", "vote": "yes", "context_used": ["C1"]}`, `{"position": "So.", "vote": "yes", "context_used": ["C1"]}`,
			`{"position": "So.", "vote": "yes", "context_used": ["C1"]}`,
		}},
		require: "yes", code: 0, kind: "side", line: "Yes, 3 of 3 · C1 by a command · was undecided; 3 moved",
	},
	{
		name: "lines that nobody was shown", args: []string{"--rounds", "1"}, said: [][]string{votes("yes", "yes")}, diff: 9000,
		require: "yes", code: 6, kind: "side", line: "“yes”, 2 of 2",
	},
	{
		name: "lines that all were shown", args: []string{"--rounds", "1"}, said: [][]string{votes("yes", "yes")}, diff: 300,
		require: "yes", code: 0, kind: "side", line: "“yes”, 2 of 2",
	},
	{
		name: "lines that need not be shown", args: []string{"--rounds", "1", "--allow-unread=*.go"}, diff: 9000,
		said:    [][]string{votes("yes", "yes")},
		require: "yes", code: 0, kind: "side", line: "“yes”, 2 of 2",
	},
}

var toldNames = []string{"Adam", "Beth", "Carl", "Dana", "Evan", "Fern", "Gail"}

// speak answers a request as it is written down.
func (d told) speak(r endpoint.Request) endpoint.Reply {
	system, round := r.Messages[0].Content, roundAsked(r)
	seat := int(r.Model[1] - '1')
	switch {
	case strings.Contains(system, "You are the chair") || round == 0:
		return endpoint.Reply{Text: "## Answer\n\nIt is so."}
	case d.asks && seat == 0 && round == 1 && r.Last().Role != "tool":
		return endpoint.Reply{Call: `{"query":"How many writes?","reason":"it decides","priority":"required"}`}
	}
	part := d.said[min(round, len(d.said))-1][seat]
	if part[0] != '{' {
		return endpoint.Reply{Text: part}
	}
	return endpoint.Reply{Text: "So it is.\n\n```json\n" + part + "\n```"}
}

// config writes a configuration with a seat for each column of what is said.
func (d told) config(t *testing.T, url string) string {
	text := fmt.Sprintf("[providers.here]\nbase_url = %q\n", url+"/v1")
	var ids []string
	for i := range d.said[0] {
		ids = append(ids, fmt.Sprintf("%q", strings.ToLower(toldNames[i])))
		text += fmt.Sprintf("[[agents]]\nid = %s\nname = %q\nprovider = \"here\"\nmodel = \"m%d\"\nprice_in = 0\nprice_out = 0\n",
			ids[i], toldNames[i], i+1)
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text+"[panels.default]\nagents = ["+strings.Join(ids, ", ")+"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// play runs the debate with events as JSON. It returns the exit code and the id of the
// session.
func (d told) play(t *testing.T, env []string, config string, more ...string) (code int, out, id string) {
	args := append([]string{"--config", config, "run", "Is it so?", "--json"}, append(more, d.args...)...)
	code, out = headless(t, env, args...)
	all := sessions(t, env)
	if len(all) == 0 {
		return code, out, ""
	}
	id = all[0].ID
	if !d.asks {
		return code, out, id
	}
	if code != 3 {
		t.Fatalf("nothing was asked, exit code %d: %s", code, out)
	}
	if code, out := headless(t, env, "answer", id, "C1", "--text", "42 a second"); code != 0 {
		t.Fatalf("answer: exit code %d: %s", code, out)
	}
	code, out = headless(t, env, append([]string{"--config", config, "continue", id, "--json"}, more...)...)
	return code, out, id
}

// plantedDiff writes a diff that adds so many lines, the one in the middle a dangerous one, beside a
// lock file that prompts leave out.
func plantedDiff(t *testing.T, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/main.go b/main.go\n--- a/main.go\n+++ b/main.go\n@@ -0,0 +1,%d @@\n", lines)
	for i := range lines {
		switch i {
		case lines / 2:
			b.WriteString("+\tos.RemoveAll(\"/\")\n")
		default:
			fmt.Fprintf(&b, "+\tcount(%d) // one more step\n", i)
		}
	}
	b.WriteString("diff --git a/go.sum b/go.sum\n--- a/go.sum\n+++ b/go.sum\n@@ -0,0 +1 @@\n+example.com/x v1.0.0 h1:abc\n")
	path := filepath.Join(t.TempDir(), "pr.diff")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whichever door a verdict leaves by, its first line and its result are the same,
// and the exit code of --require rests on them.
func TestVerdicts_areTheSameAtEveryDoor(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for _, d := range toldDebates {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			env, config := home(t), d.config(t, endpoint.New(t, d.speak).URL)
			if d.diff > 0 {
				d.args = append(slices.Clone(d.args), "--file", plantedDiff(t, d.diff))
			}
			code, out, id := d.play(t, env, config, "--require", d.require)
			if code != d.code {
				t.Errorf("exit code %d with --require %s, not %d: %s", code, d.require, d.code, out)
			}
			if d.code == 2 { // no verdict can have that side
				code, out, id = d.play(t, env, config)
				if code != 0 {
					t.Fatalf("exit code %d: %s", code, out)
				}
			}
			line := d.checkEvent(t, out)
			for _, door := range [][]string{{"show", id}, {"export", id, "--format", "md", "-o", "-"}} {
				if code, out := headless(t, env, door...); code != 0 || !strings.Contains(flat(out), flat(line)) {
					t.Errorf("%s, exit code %d: no %q in\n%s", door[0], code, line, out)
				}
			}
			c := callPanels(t, env, "--config", config)
			raw := c.text("synthesize_debate", map[string]any{"sessionId": id})
			d.check(t, "MCP", raw, line)
			tm := open(t, env, 80, 24, "--config", config, "resume", id)
			first, _, _ := strings.Cut(line, " · ")
			tm.await(first[:10], "esc debate")
			if !strings.Contains(flat(tm.text()), flat(first)) {
				t.Errorf("the screen has no %q:\n%s", first, tm.text())
			}
			tm.send("q")
			tm.send("q")
			tm.end()
		})
	}
}

// checkEvent checks the verdict event, and returns its headline.
func (d told) checkEvent(t *testing.T, out string) string {
	t.Helper()
	for line := range strings.Lines(out) {
		if strings.Contains(line, `"type":"verdict"`) {
			return d.check(t, "run --json", line, "")
		}
	}
	t.Fatalf("there is no verdict event in %s", out)
	return ""
}

// check checks a verdict in JSON, and returns its headline.
func (d told) check(t *testing.T, door, raw, same string) string {
	t.Helper()
	type verdict struct {
		Headline string
		Result   struct{ Kind string }
	}
	var v struct {
		verdict
		Verdict *verdict
	}
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatalf("%s: %v in %s", door, err, raw)
	}
	if v.Verdict != nil {
		v.verdict = *v.Verdict
	}
	if !strings.HasPrefix(v.Headline, d.line) || v.Result.Kind != d.kind || same != "" && v.Headline != same {
		t.Errorf("%s: headline %q, a result %s; want %q, %s", door, v.Headline, v.Result.Kind, d.line, d.kind)
	}
	return v.Headline
}

// flat returns a text without line breaks, marks of Markdown and borders.
func flat(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(`\`, "", "│", "", "┃", "", "&gt;", ">").Replace(s)), " ")
}
