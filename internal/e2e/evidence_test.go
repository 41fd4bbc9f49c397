//go:build unix

package e2e_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/text"
)

// repository makes a git repository with a change that is not committed, and returns its
// folder and the output of git diff.
func repository(t *testing.T) (dir, diff string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir = t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	write := func(content string) {
		if err := os.WriteFile(filepath.Join(dir, "ledger.go"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const before = "package ledger\n\n// Post writes an entry.\nfunc Post(e Entry) error {\n\treturn append(e)\n}\n"
	git("init", "-q")
	write(before)
	git("add", ".")
	git("commit", "-q", "-m", "Add the ledger")
	write(strings.Replace(before, "\treturn append(e)", "\tif e.Amount < 0 {\n\t\tpanic(\"negative\")\n\t}\n\treturn append(e)", 1))
	return dir, git("diff")
}

// numberOf finds the number of the line that holds a text, in numbered lines or in the
// result of a search.
func numberOf(content, part string) string {
	m := regexp.MustCompile(`(?m)^(?:F1:)?(\d+)\|.*` + regexp.QuoteMeta(part)).FindStringSubmatch(content)
	if m == nil {
		return "no line"
	}
	return m[1]
}

// look is a call of a tool by a reviewer, and what its result has to hold.
type look struct{ tool, args, want string }

// looks are what each reviewer looks at before it speaks, in order.
var looks = map[string][]look{
	"m1": {
		{"list_evidence", `{}`, "[F1] standard input"},
		{"list_dir", `{"path":"."}`, "ledger.go"},
		{"read_evidence", `{"id":"F1"}`, "panic(\"negative\")"},
	},
	"m2": {
		{"find_files", `{"pattern":"**/*.go"}`, "ledger.go"},
		{"search", `{"pattern":"panic\\("}`, "ledger.go:6:"},
		{"search_evidence", `{"pattern":"Amount|panic"}`, "panic(\"negative\")"},
	},
	"m3": {{"read_file", `{"path":"ledger.go"}`, "panic(\"negative\")"}},
}

// reviewers are models that look at the evidence and at the workspace before they speak.
// m1 cites the lines that it read, m2 those that it found, m3 those of its prompt, and
// also lines that are not there. The chair cites what they cite.
func reviewers(t *testing.T) func(endpoint.Request) endpoint.Reply {
	return func(r endpoint.Request) endpoint.Reply {
		prompt := r.Messages[1].Content
		if roundAsked(r) == 0 {
			if m := regexp.MustCompile(`see (\[F1:\d+-\d+\])`).FindStringSubmatch(prompt); m != nil {
				return endpoint.Reply{Text: "Do not merge: a negative amount ends the process " + m[1] + ".\n\n" +
					"```json\n{\"position\":\"No.\",\"confidence\":0.9,\"vote\":\"no\"}\n```"}
			}
			return endpoint.Reply{Text: "{}"}
		}
		calls := 0
		for _, m := range r.Messages {
			if m.Role == "tool" {
				if want := looks[r.Model][calls].want; !strings.Contains(m.Content, want) {
					t.Errorf("%s: %s returned %q, want %q", r.Model, looks[r.Model][calls].tool, m.Content, want)
				}
				calls++
			}
		}
		if calls < len(looks[r.Model]) {
			next := looks[r.Model][calls]
			return endpoint.Reply{Tool: next.tool, Call: next.args}
		}
		where, more := r.Last().Content, ""
		if r.Model == "m3" {
			where, more = prompt, " and [F1:900-910] and [F7]"
		}
		return endpoint.Reply{Text: fmt.Sprintf("It panics, see [F1:%s-%s]%s.\n\n```json\n"+
			`{"position":"No: it panics.","confidence":0.8,"vote":"no","citations":[]}`+"\n```",
			numberOf(where, "e.Amount < 0"), numberOf(where, "panic("), more)}
	}
}

// storedCalls returns the tool calls that are in the database, each with its owner.
func storedCalls(t *testing.T, env []string) (calls []string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+databaseOf(t, env))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT t.agent, c.id, c.body ->> '$.Name', coalesce(c.body ->> '$.Args', ''), c.body ->> '$.Result.status', c.result FROM tool_calls c JOIN turns t ON t.id = c.turn
		ORDER BY t.agent, c.place`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var agent, id, name, args, status, result string
		if err := rows.Scan(&agent, &id, &name, &args, &status, &result); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, strings.Join([]string{agent, id, name, args, status}, " "))
		for _, l := range looks[agent] {
			if l.tool == name && !strings.Contains(result, l.want) {
				t.Errorf("the stored result of %s of %s is %q", name, agent, result)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return calls
}

func TestEvidence_theVerdictCitesTheLinesOfADiff(t *testing.T) {
	t.Parallel()
	dir, diff := repository(t)
	srv := endpoint.New(t, reviewers(t))
	env, config := home(t), panel(t, srv.URL, "")
	run := func(stdin string, args ...string) string {
		cmd := program(t, env, append([]string{"--config", config}, args...)...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	out := run(diff, "run", "Is this safe to merge?", "--file", "-", "--workspace", ".", "--rounds", "1")
	lines := strings.Split(diff, "\n")
	from := 1 + slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "e.Amount < 0") })
	want := lines[from-1 : from+1]
	ref := fmt.Sprintf("F1:%d-%d", from, from+1)
	cited := fmt.Sprintf("[%s · ledger.go:5-6] standard input, cited by M1, M2, M3 and the verdict\n  %d| +", ref, from)
	for _, part := range []string{
		fmt.Sprintf("Evidence [F1] standard input, diff, %d lines, ", strings.Count(diff, "\n")), cited, "panic(\"negative\")",
		": F1:900-910, F7\n",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}

	_, rest, _ := strings.Cut(out, "Debate ")
	id, _, _ := strings.Cut(rest, ":")
	shown := run("", "show", id, "--evidence", ref)
	words := func(line string) string { return strings.Join(strings.Fields(line), " ") } // tabs are shown as blanks
	if words(shown) != words(fmt.Sprintf("%d| %s %d| %s", from, want[0], from+1, want[1])) {
		t.Errorf("lines %s are shown as %q, want %q", ref, shown, want)
	}
	var doc struct {
		Evidence  []struct{ Text string }
		Citations []struct {
			Citation struct {
				ID       string
				From, To int
			}
			Text, Problem string
			CitedBy       []string `json:"cited_by"`
			InReport      bool     `json:"in_report"`
		}
	}
	if err := json.Unmarshal([]byte(run("", "export", id, "--format", "json", "-o", "-")), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Evidence) != 1 || doc.Evidence[0].Text != diff {
		t.Errorf("the export has the evidence %q, want %q", doc.Evidence, diff)
	}
	if len(doc.Citations) != 3 {
		t.Fatalf("the export has the citations %+v", doc.Citations)
	}
	c := doc.Citations[0]
	safe := text.CleanLines(strings.Join(want, "\n"))
	if at := c.Citation; fmt.Sprintf("%s:%d-%d", at.ID, at.From, at.To) != ref || c.Text != safe || c.Problem != "" ||
		!slices.Equal(c.CitedBy, []string{"m1", "m2", "m3"}) || !c.InReport {
		t.Errorf("the export cites %+v, want %s: %q", c, ref, want)
	}
	for _, c := range doc.Citations[1:] {
		if c.Problem == "" || c.Text != "" || !slices.Equal(c.CitedBy, []string{"m3"}) {
			t.Errorf("the export has the citation %+v", c)
		}
	}
	page := html.UnescapeString(run("", "export", id, "--format", "html", "-o", "-"))
	if !strings.Contains(page, fmt.Sprintf("<pre><code class=\"language-text\">%d| +", from)) {
		t.Error("the page does not show the cited lines")
	}
	var stored []string
	for _, who := range []string{"m1", "m2", "m3"} {
		for i, l := range looks[who] {
			stored = append(stored, fmt.Sprintf("%s r1.s0.%s.a1.t%d %s %s ok", who, who, i+1, l.tool, l.args))
		}
	}
	if diff := cmp.Diff(stored, storedCalls(t, env)); diff != "" {
		t.Errorf("the stored calls (-want +got):\n%s", diff)
	}
}
