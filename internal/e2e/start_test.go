//go:build unix

package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
)

// What the interface cannot begin with is refused before the screen changes, and
// before anything is made.
func TestStart_refusesBeforeTheScreenChanges(t *testing.T) {
	config := panelOf(t, "http://127.0.0.1:1", 2)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"new", "Is it so?", "--panel", "nobody"}, `there is no panel "nobody"`},
		{[]string{"new", "--agents", "m1"}, "takes 2 to 8 seats; this panel has 1"},
		{[]string{"new", "--panel", "default", "--budget", "1"}, "a budget in USD needs prices"},
		{[]string{"new", "Is it so?", "--file", "-"}, "the interface reads keys from standard input"},
		{[]string{"resume", "zzzz"}, "no debates yet"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			t.Parallel()
			env := home(t)
			tm := open(t, env, 80, 24, append([]string{"--config", config}, tt.args...)...)
			code := tm.end()
			deadline := time.After(patience)
			for waiting := true; waiting && !strings.Contains(tm.written(), tt.want); {
				select {
				case <-tm.changed:
				case <-deadline:
					waiting = false
				}
			}
			if said := tm.written(); code != 2 || !strings.Contains(said, tt.want) || strings.Contains(said, altScreen) {
				t.Errorf("exit code %d: %q", code, said)
			}
			if _, err := os.Stat(filepath.Dir(databaseOf(env))); err == nil {
				t.Error("a folder of data was made")
			}
		})
	}
}

// A debate that is open in another terminal is read along, however it is named.
func TestStart_readsAlongWhatIsOpenElsewhere(t *testing.T) {
	t.Parallel()
	env := home(t)
	plays := open(t, env, 100, 30)
	plays.await("Start the demo debate")
	plays.press(enter, "writing", "Ada")
	all := sessions(t, env)
	for _, args := range [][]string{{"--last"}, {"resume", all[0].ID}} {
		reads := open(t, env, 100, 30, args...)
		reads.await("read-only: open in another Roundtable (interface, pid", "round 1 of")
		reads.leaves(ctrlC)
	}
	code, said := headless(t, env, "resume", all[0].ID, "--linear", "--workspace", "none")
	if code != 2 || !strings.Contains(said, "open in another Roundtable (interface, pid") {
		t.Errorf("with another workspace: exit code %d, %s", code, said)
	}
}

func TestInterface_isLineByLineOnADumbTerminal(t *testing.T) {
	for _, kind := range []string{"TERM=dumb", "TERM="} {
		l := openLines(t, append(home(t), kind))
		l.hear("No debates yet. `roundtable new` starts one.")
		l.leaves("quit\n")
		if out := l.written(); strings.Contains(out, "\x1b") {
			t.Errorf("%s: got %q", kind, out)
		}
	}
}

func TestErrors_askTheTerminalForNothing(t *testing.T) {
	for _, args := range [][]string{{"show", "zzzz"}, {"--nonsense"}, {"version"}} {
		tm := open(t, home(t), 80, 24, args...)
		code := tm.end()
		if out := tm.written(); strings.Contains(out, "\x1b") || out == "" {
			t.Errorf("%v: exit code %d, got %q", args, code, out)
		}
	}
}

// coloured is a style with a colour in it.
var coloured = regexp.MustCompile(`\x1b\[(\d+;)*([349][0-8]|10[0-7])(;\d+)*m`)

// What a terminal cannot show is not written to it, and its colours are those of
// the theme.
func TestStart_fitsTheTerminal(t *testing.T) {
	t.Parallel()
	const dark = "38;2;163;168;189"
	for name, c := range map[string]struct {
		env, config string
		has, lacks  []string
		ascii       bool
		plain       bool
	}{
		"dark":          {has: []string{dark}},
		"256 colours":   {env: "COLORTERM=", has: []string{"\x1b[38;5;"}, lacks: []string{"38;2;"}},
		"no colours":    {env: "NO_COLOR=1", plain: true},
		"no UTF-8":      {env: "LANG=C", ascii: true, has: []string{"New debate"}},
		"ASCII symbols": {config: "[ui]\nsymbols = \"ascii\"\n", has: []string{dark}, lacks: []string{"▸", "◆", "…", "╭"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tm := open(t, append(home(t), c.env), 80, 24, "--config", panel(t, "http://127.0.0.1:9", c.config))
			tm.await("New debate", "M1 m1", "ctrl+s start")
			tm.leaves(ctrlC)
			raw := tm.written()
			for _, s := range c.has {
				if !strings.Contains(raw, s) {
					t.Errorf("%q was not written", s)
				}
			}
			for _, s := range c.lacks {
				if strings.Contains(raw, s) {
					t.Errorf("%q was written", s)
				}
			}
			if colour := coloured.FindString(raw); c.plain && colour != "" {
				t.Errorf("a colour was written: %q", colour)
			}
			if c.ascii && strings.ContainsFunc(raw, func(r rune) bool { return r > unicode.MaxASCII }) {
				t.Errorf("more than ASCII was written: %q", raw)
			}
		})
	}
}
