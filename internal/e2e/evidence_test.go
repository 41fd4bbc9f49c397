//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
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

// reviewers are models that look at evidence before they speak: m1 lists and reads it, m2
// searches in it, m3 reads its prompt and also cites lines that are not there. The chair
// cites what they cite.
func reviewers(t *testing.T) func(endpoint.Request) endpoint.Reply {
	return func(r endpoint.Request) endpoint.Reply {
		last, prompt := r.Last(), r.Messages[1].Content
		if roundAsked(r) == 0 {
			if m := regexp.MustCompile(`\[F1:\d+\]`).FindString(prompt); m != "" {
				return endpoint.Reply{Text: "Do not merge: a negative amount ends the process " + m + ".\n\n" +
					"```json\n{\"position\":\"No.\",\"confidence\":0.9,\"stance\":\"no\"}\n```"}
			}
			return endpoint.Reply{Text: "{}"}
		}
		where, calls := prompt, 0
		for _, m := range r.Messages {
			if m.Role == "tool" {
				calls++
			}
		}
		switch {
		case r.Model == "m1" && calls == 0:
			return endpoint.Reply{Tool: "list_evidence", Call: "{}"}
		case r.Model == "m1" && calls == 1:
			if !strings.Contains(last.Content, "[F1] standard input") {
				t.Errorf("list_evidence returned %q", last.Content)
			}
			return endpoint.Reply{Tool: "read_evidence", Call: `{"id":"F1"}`}
		case r.Model == "m2" && calls == 0:
			return endpoint.Reply{Tool: "search_evidence", Call: `{"pattern":"panic\\("}`}
		case r.Model != "m3":
			where = last.Content
		}
		cites := "[F1:" + numberOf(where, "panic(") + "]"
		if r.Model == "m3" {
			cites += " and [F1:900-910] and [F7]"
		}
		return endpoint.Reply{Text: "It panics, see " + cites + ".\n\n```json\n" +
			`{"position":"No: it panics.","confidence":0.8,"stance":"no","citations":[]}` + "\n```"}
	}
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
	out := run(diff, "run", "Is this safe to merge?", "--file", "-", "--rounds", "1")
	at, want := 0, ""
	for n, line := range strings.Split(diff, "\n") {
		if strings.Contains(line, "panic(") {
			at, want = n+1, line
		}
	}
	cited := fmt.Sprintf("[F1:%d] standard input, cited by M1, M2, M3 and the verdict\n  %d| +", at, at)
	for _, part := range []string{
		fmt.Sprintf("Evidence [F1] standard input, diff, %d lines, ", strings.Count(diff, "\n")), cited, "panic(\"negative\")",
		"! Wrong citation [F1:900-910] by M3: F1 has ", "! Wrong citation [F7] by M3: There is no F7.",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}

	_, rest, _ := strings.Cut(out, "Session ")
	id, _, _ := strings.Cut(rest, ":")
	shown := run("", "show", id, "--evidence", fmt.Sprintf("F1:%d", at))
	words := func(line string) string { return strings.Join(strings.Fields(line), " ") } // tabs are shown as blanks
	if words(shown) != words(fmt.Sprintf("%d| %s", at, want)) {
		t.Errorf("line %d is shown as %q, want %q", at, shown, want)
	}
	var doc struct {
		Evidence []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(run("", "export", id, "--format", "json", "-o", "-")), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Evidence) != 1 || doc.Evidence[0].Text != diff {
		t.Errorf("the export has the evidence %q, want %q", doc.Evidence, diff)
	}
	page := html.UnescapeString(run("", "export", id, "--format", "html", "-o", "-"))
	if !strings.Contains(page, fmt.Sprintf("<pre>%d| +", at)) {
		t.Error("the page does not show the cited line")
	}
}
