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
	after   []string   // by seat: in the vote after the debate
	chair   string     // the chair's structured part
	asks    bool       // the first seat asks C1 in round 1
	diff    int        // lines of a diff that is its evidence, with something in the middle that no prompt has room for
	require string     // a side
	code    int        // with require
	line    string     // the headline begins so
	form    string
	side    any
}

func choices(labels ...string) []string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = fmt.Sprintf(`{"position": "So.", "choice": %q}`, l)
	}
	return out
}

func ranked(labels string) string { return `{"ranking": [` + labels + `]}` }

var toldDebates = []told{
	{
		name: "all change their mind in prose", args: []string{"--rounds", "2", "--question", "yes-no"},
		said:    [][]string{choices("yes", "yes", "yes"), {"No, on reflection.", "No.", "Rather not."}},
		require: "yes", code: 6, form: "no_vote", line: "No vote: none of 3 votes of round 2 could be read (round 1: yes 3)",
	},
	{
		name: "unentschieden", args: []string{"--rounds", "1"}, said: [][]string{choices("unentschieden", "unentschieden", "ja")},
		require: "unentschieden", code: 2, form: "no_majority", line: "No majority: ja 1, undecided 2",
	},
	{
		name: "neutral in two languages", args: []string{"--rounds", "1"}, said: [][]string{choices("未定", "kommt darauf an", "未定")},
		require: "yes", code: 6, form: "undecided", line: "Undecided: none of 3 votes took a side",
	},
	{
		name: "one of seven", args: []string{"--rounds", "1", "--question", "yes-no"},
		said:    [][]string{choices("yes", "undecided", "undecided", "undecided", "undecided", "undecided", "undecided")},
		require: "yes", code: 6, form: "no_majority", line: "No majority: yes 1, undecided 6",
	},
	{
		name: "four ballots", args: []string{"--rounds", "1", "--mode", "council"},
		said: [][]string{{
			ranked(`"nobody"`), ranked(`"Member 1", "Member 3", "Member 4"`), ranked(`"Member 1", "Member 2", "Member 4"`),
			ranked(`"Member 1", "Member 2", "Member 3"`),
		}},
		require: "yes", code: 2, form: "ranking", line: "Ranked first by points: Adam, first on 3 of 3 readable ballots; 1 could not be read",
	},
	{
		name: "a figure that is two numbers", args: []string{"--rounds", "1", "--question", "estimate"},
		said:    [][]string{{`{"position": "So.", "estimate": "1.200 EUR"}`, `{"position": "So.", "estimate": "1150 EUR"}`}},
		require: "1150", code: 2, form: "estimate", line: "The only estimate: 1150 EUR, 1 of 2 asked; 1 could not be read (Adam)",
	},
	{
		name: "an answer decides", args: []string{"--rounds", "2", "--question", "yes-no"}, asks: true,
		said: [][]string{choices("undecided", "undecided", "undecided"), {
			`{"position": "So.", "choice": "yes", "context_used": ["C1"]}`, `{"position": "So.", "choice": "yes", "context_used": ["C1"]}`,
			`{"position": "So.", "choice": "yes", "context_used": ["C1"]}`,
		}},
		require: "yes", code: 0, form: "side", side: "yes",
		line: "Yes, 3 of 3 votes · changed: undecided 3 → yes 3; all 3 citing answer C1",
	},
	{
		name: "Si is a label", args: []string{"--rounds", "1", "--question", "open"}, said: [][]string{choices("Si", "Si", "Si")},
		require: "yes", code: 0, form: "side", side: "Si", line: "Si, 3 of 3 votes",
	},
	{
		name: "lines that nobody was shown", args: []string{"--rounds", "1"}, said: [][]string{choices("yes", "yes")}, diff: 9000,
		require: "yes", code: 6, form: "side", side: "yes", line: "Yes, 2 of 2 votes · ",
	},
	{
		name: "lines that all were shown", args: []string{"--rounds", "1"}, said: [][]string{choices("yes", "yes")}, diff: 300,
		require: "yes", code: 0, form: "side", side: "yes", line: "Yes, 2 of 2 votes",
	},
	{
		name: "lines that need not be shown", args: []string{"--rounds", "1", "--allow-unread=*.go"}, diff: 9000,
		said:    [][]string{choices("yes", "yes")},
		require: "yes", code: 0, form: "side", side: "yes", line: "Yes, 2 of 2 votes · ",
	},
}

var toldNames = []string{"Adam", "Beth", "Carl", "Dana", "Evan", "Fern", "Gail"}

// speak answers a request as it is written down.
func (d told) speak(r endpoint.Request) endpoint.Reply {
	system, round := r.Messages[0].Content, roundAsked(r)
	seat := int(r.Model[1] - '1')
	switch {
	case strings.Contains(system, "You are the chair"):
		return reported("## Answer\n\nIt is so.", d.chair)
	case round == 0:
		return endpoint.Reply{Text: "I cannot say."} // which labels mean the same
	case d.asks && seat == 0 && round == 1 && r.Last().Role != "tool":
		return endpoint.Reply{Call: `{"query":"How many writes?","reason":"it decides","priority":"required"}`}
	case d.after != nil && strings.Contains(r.Raw, "The closings are over"):
		return reported("So it is.", d.after[seat])
	}
	return reported("So it is.", d.said[min(round, len(d.said))-1][seat])
}

// reported is a text with a structured part; one that is none is the text.
func reported(text, part string) endpoint.Reply {
	switch {
	case part == "":
		return endpoint.Reply{Text: text}
	case part[0] != '{':
		return endpoint.Reply{Text: part}
	}
	return endpoint.Reply{Text: text + "\n\n```json\n" + part + "\n```"}
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

// Whichever door a verdict leaves by, its first line, its side and its form are the same,
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
	var v struct {
		Headline, Form string
		Side           any
		Verdict        *struct {
			Headline, Form string
			Side           any
		}
	}
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatalf("%s: %v in %s", door, err, raw)
	}
	if v.Verdict != nil {
		v.Headline, v.Form, v.Side = v.Verdict.Headline, v.Verdict.Form, v.Verdict.Side
	}
	if !strings.HasPrefix(v.Headline, d.line) || v.Form != d.form || v.Side != d.side || same != "" && v.Headline != same {
		t.Errorf("%s: headline %q, form %q, side %v; want %q, %q, %v", door, v.Headline, v.Form, v.Side, d.line, d.form, d.side)
	}
	return v.Headline
}

// flat returns a text without line breaks, marks of Markdown and borders.
func flat(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(`\`, "", "│", "", "┃", "", "&gt;", ">").Replace(s)), " ")
}
