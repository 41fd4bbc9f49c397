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

	"github.com/google/go-cmp/cmp"
)

// pictured is the screen of the recording of the demo that the README shows.
const pictured = "The verdict"

// The picture in the README is a screen of a recording, which TestRecordings compares with
// what the program draws.
func TestReadme_showsAScreenThatTheProgramDraws(t *testing.T) {
	t.Parallel()
	readme := readRoot(t, "README.md")
	if want := readmeWith(t, readme, framesOf(t, []byte(readRoot(t, recordings+"/demo.cast")))); readme != want {
		t.Errorf("the README's picture is another one than the screen of the recording: %s", cmp.Diff(want, readme))
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

var age = regexp.MustCompile(`\b\d+ (s|min|h)\b`)

// withoutAges replaces what says how long something took or is ago, and in these
// lines the room around it too, which depends on how many digits there are.
func withoutAges(screen string) string {
	var b strings.Builder
	for line := range strings.Lines(screen) {
		if age.MatchString(line) {
			line = strings.Join(strings.Fields(age.ReplaceAllString(line, "n s")), " ") + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// Every command line in the README does what it says, in the order in which somebody
// without a session would type them.
func TestReadme_itsCommandsWork(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(exe, filepath.Join(dir, "roundtable")); err != nil {
		t.Fatal(err)
	}
	env := append(home(t), "PATH="+dir+":"+os.Getenv("PATH"))
	before, headless, found := strings.Cut(readRoot(t, "README.md"), "## Without the interface")
	if !found {
		t.Fatal("the README has no part about commands")
	}
	id := "none"
	ran := 0
	for line := range strings.Lines(headless + before) { // what makes a session comes first
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "    roundtable ")
		if !ok {
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
	if ran < 12 {
		t.Errorf("only %d commands were found", ran)
	}
}
