//go:build unix

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"roundtable/internal/testing/must"
)

// pictured is the screen of the recording of the demo that the README shows.
const pictured = "The verdict"

// maxReadme is the length of the README in characters: it is read in a few minutes.
const maxReadme = 12_000

func TestReadme_isShort(t *testing.T) {
	t.Parallel()
	if n := utf8.RuneCountInString(readRoot(t, "README.md")); n > maxReadme {
		t.Errorf("README.md has %d characters, at most %d are allowed: what does not fit has a page in docs", n, maxReadme)
	}
}

// readmeWith returns the README with the picture of a recording.
func readmeWith(t testing.TB, readme string, all []frame) string {
	t.Helper()
	i := slices.IndexFunc(all, func(f frame) bool { return f.name == pictured })
	before, rest, _ := strings.Cut(readme, "```\n")
	_, after, found := strings.Cut(rest, "```\n")
	if i < 0 || !found {
		t.Fatalf("the recording has no screen %q, or the README no picture", pictured)
	}
	return before + "```\n" + all[i].text + "```\n" + after
}

var (
	age       = regexp.MustCompile(`\b\d+ (s|min|h)\b`)
	thousands = regexp.MustCompile(`\b\d+\.\dk\b`)
)

// withoutAges replaces what says how long something took or is ago, and in these
// lines the room around it too, which depends on how many digits there are. It also
// replaces thousands of tokens: prompts name the day, which has another length tomorrow.
func withoutAges(screen string) string {
	var b strings.Builder
	for line := range strings.Lines(screen) {
		if age.MatchString(line) {
			line = strings.Join(strings.Fields(age.ReplaceAllString(line, "n s")), " ") + "\n"
		}
		b.WriteString(line)
	}
	return thousands.ReplaceAllString(b.String(), "n.nk")
}

// Every command line in the README and in docs/commands.md does what it says, in the order in
// which somebody without a session would type them: first those of the part that makes one.
func TestReadme_itsCommandsWork(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		page, first string
		commands    int
	}{{"README.md", "## From the shell", 10}, {"docs/commands.md", "## Without the interface", 18}} {
		t.Run(p.page, func(t *testing.T) {
			t.Parallel()
			before, first, found := strings.Cut(readRoot(t, p.page), p.first)
			if ran := runsCommands(t, first+before); !found || ran < p.commands {
				t.Errorf("only %d commands were found, part %q: %v", ran, p.first, found)
			}
		})
	}
}

// runsCommands runs the command lines of a page and returns how many there are.
func runsCommands(t *testing.T, page string) (ran int) {
	exe := must.Get(os.Executable())(t)
	dir := t.TempDir()
	must.Do(t, os.Symlink(exe, filepath.Join(dir, "roundtable")))
	env := append(home(t), "PATH="+dir+":"+os.Getenv("PATH"))
	id, hasGit := "none", isRepository(t, dir, env)
	for line := range strings.Lines(page) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "    roundtable ")
		if !ok || strings.HasPrefix(line, "review ") && !hasGit {
			continue
		}
		line, _, _ = strings.Cut(line, "   ") // what it does stands behind it
		cmd := exec.Command("sh", "-c", "roundtable "+regexp.MustCompile(`\bID\b`).ReplaceAllString(line, id))
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		want := 0
		switch {
		case strings.HasPrefix(line, "run "):
			want = 3 // the demo asks
		case strings.HasPrefix(line, "resume ") || line == "--last":
			want = 2 // there is no terminal here
		}
		if code := cmd.ProcessState.ExitCode(); code != want || want == 2 && !strings.Contains(string(out), "the interface needs a terminal") {
			t.Errorf("roundtable %s: exit code %d, %v, want %d\n%s", line, code, err, want, out)
		}
		if _, rest, made := strings.Cut(string(out), "Debate "); made && id == "none" {
			id = rest[:10]
		}
		ran++
	}
	return ran
}

// isRepository makes a folder a git repository in which nothing is to be reviewed. It reports
// false where git is missing.
func isRepository(t *testing.T, dir string, env []string) bool {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		return false
	}
	for _, line := range []string{
		"echo '*' > .gitignore", "git init -q -b main", "git -c user.name=T -c user.email=t@example.org commit -q --allow-empty -m first",
	} {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	return true
}
