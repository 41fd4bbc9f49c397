//go:build unix

package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/creack/pty"

	"roundtable/internal/e2e/endpoint"
)

// orator answers as a debater does, a word every pace.
func orator(words int, pace time.Duration) func(endpoint.Request) endpoint.Reply {
	return func(r endpoint.Request) endpoint.Reply {
		text := fmt.Sprintf("Keep it append-only, says %s in round %d.\n\n", r.Model, roundAsked(r))
		for i := range words {
			text += fmt.Sprintf("word-%d ", i)
		}
		text += "\n```json\n{\"position\":\"Keep it.\",\"confidence\":0.8,\"vote\":\"yes\"}\n```"
		return endpoint.Reply{Text: text, Pace: pace}
	}
}

var roundOf = regexp.MustCompile(`round (\d+) of \d`)

// roundAsked is the round that a request is for; 0: another one's.
func roundAsked(r endpoint.Request) (n int) {
	if m := roundOf.FindStringSubmatch(r.Messages[1].Content); m != nil {
		fmt.Sscan(m[1], &n)
	}
	return n
}

// panel writes a configuration of three seats at a server.
func panel(t testing.TB, url, more string) string { return seated(t, url, more, 3) }

// seated writes a configuration of so many seats at a server, which are free.
func seated(t testing.TB, url, more string, seats int) string {
	return seatedAt(t, url, more, "price_in = 0\nprice_out = 0\n", seats)
}

// panelOf writes a configuration of so many seats at a server, whose prices are unknown.
func panelOf(t testing.TB, url string, seats int) string { return seatedAt(t, url, "", "", seats) }

func seatedAt(t testing.TB, url, more, ofEach string, seats int) string {
	t.Helper()
	text := more + fmt.Sprintf("[providers.here]\nbase_url = %q\n", url+"/v1")
	var ids []string
	for i := 1; i <= seats; i++ {
		ids = append(ids, fmt.Sprintf("%q", fmt.Sprintf("m%d", i)))
		text += fmt.Sprintf("[[agents]]\nid = \"m%d\"\nname = \"M%d\"\nprovider = \"here\"\nmodel = \"m%d\"\n", i, i, i) + ofEach
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text+"[panels.default]\nagents = ["+strings.Join(ids, ", ")+"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// press types a key and waits for what it brings.
func (tm *terminal) press(key string, brings ...string) {
	tm.Helper()
	tm.send(key)
	tm.await(brings...)
}

// gone waits until the screen does not show a text any more.
func (tm *terminal) gone(text string) {
	tm.Helper()
	deadline := time.After(patience)
	for strings.Contains(tm.text(), text) {
		select {
		case <-tm.changed:
		case <-deadline:
			tm.Fatalf("the screen still shows %q:\n%s", text, tm.text())
		}
	}
}

// One visit, by typed keys: a debate from its form to its verdict, steered, looked
// at from all sides, renamed, deleted and brought back.
func TestKeys_takeADebateFromItsFormToItsVerdict(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, orator(60, 5*time.Millisecond))
	env, config := home(t), panel(t, srv.URL, "[defaults]\nends = \"planned\"\n")
	tm := open(t, env, 100, 30, "--config", config)
	tm.await("New debate", "M1 m1", "M3 m3")
	tm.press("Is it so?", "Is it so?")
	tm.press("\t\tj ", "[ ]   M1")
	tm.press(" ", "[x] 3 M3")
	tm.press(ctrlS, "round 1 of 2", "▸1 M1")

	tm.press(" ", "Pauses after round 1.", "then pauses")
	tm.press("z", "(here)", "2 M2", "3 M3")
	tm.press("2", "▸2 M2 · m2 (here)")
	tm.press("z", "▸2 M2 · m2 ")
	tm.await("Round 1 is done.", "space go on")
	tm.press("+", "Round added: now 3 are planned.")

	tm.press("/", "enter search")
	tm.send("append" + enter)
	tm.await(`"append": `, "Keep it append-only, says m2 in round 1.")
	tm.send(esc)
	tm.gone("esc end search")

	tm.press(" ", "round 2 of 3")
	tm.await("round 3 of 3")
	tm.await("completed", "“yes”, 3 of 3")
	tm.press(esc, "▸2 M2 ")
	tm.press("g", "── round 1", "says m2 in round 1.")
	tm.press("]", "── round 2", "says m2 in round 2.")
	tm.press("]", "── round 3", "says m2 in round 3.")
	tm.press("[", "── round 2")
	tm.press("G", "│ word-57 word-58 word-59")
	tm.press("?", "Keys · Debate", "context form", "earlier")
	tm.press(esc, "▸2 M2 ")
	tm.press(":", "Commands")
	tm.press("verd", "Verdict")
	tm.press(enter, "“yes”, 3 of 3")

	tm.press("q", "New debate", "Is it so?", "3/3")
	tm.press("r\x15Renamed by hand"+enter, "Renamed.", "Renamed by hand")
	tm.press("x", "Deleted Renamed by hand.", "u to undo")
	if all := sessions(t, env); len(all) != 0 {
		t.Errorf("after deleting: %+v", all)
	}
	tm.press("u", "Restored.", "Renamed by hand")
	tm.press("/", "ctrl+u clear")
	tm.press("append-only", "Renamed by hand", "R1 M1", "append-only")
	tm.press(esc, "Renamed by hand", "j k move")
	tm.send("q")
	if code := tm.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if all := sessions(t, env); len(all) != 1 || all[0].Status != "complete" {
		t.Errorf("at the end: %+v", all)
	}
	rounds := map[int]int{}
	for _, r := range srv.Requests("") {
		rounds[roundAsked(r)]++
	}
	for n := 1; n <= 3; n++ {
		if rounds[n] < 3 {
			t.Errorf("round %d was asked of %d: %v", n, rounds[n], rounds)
		}
	}
}

// coloured is a style with a colour in it.
var coloured = regexp.MustCompile(`\x1b\[(\d+;)*([349][0-8]|10[0-7])(;\d+)*m`)

// What a terminal cannot show is not written to it, and its colours are those of
// the theme.
func TestStart_fitsTheTerminal(t *testing.T) {
	t.Parallel()
	const dark, light = "38;2;163;168;189", "38;2;86;91;112"
	for name, c := range map[string]struct {
		env, config string
		has, lacks  []string
		ascii       bool
		plain       bool
	}{
		"dark":          {has: []string{dark}, lacks: []string{light}},
		"light":         {config: "[ui]\ntheme = \"light\"\n", has: []string{light}, lacks: []string{dark}},
		"256 colours":   {env: "COLORTERM=", has: []string{"\x1b[38;5;"}, lacks: []string{"38;2;"}},
		"no colours":    {env: "NO_COLOR=1", plain: true},
		"no UTF-8":      {env: "LANG=C", ascii: true, has: []string{"New debate"}},
		"ASCII symbols": {config: "[ui]\nsymbols = \"ascii\"\n", has: []string{dark}, lacks: []string{"▸", "◆", "…", "╭"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tm := open(t, append(home(t), c.env), 80, 24, "--config", panel(t, "http://127.0.0.1:9", c.config))
			tm.await("New debate", "M1 m1", "ctrl+s start")
			tm.send(ctrlC)
			if code := tm.end(); code != 0 {
				t.Errorf("exit code %d", code)
			}
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

// resize gives the terminal another size, as a user who drags its corner.
func (tm *terminal) resize(w, h int) {
	tm.Helper()
	tm.mu.Lock()
	tm.screen.Resize(w, h)
	tm.w, tm.h = w, h
	tm.mu.Unlock()
	if err := pty.Setsize(tm.pty, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		tm.Fatal(err)
	}
}

// watch says whether what is written is drawn. What was written for another size
// than the screen has is nothing that it could draw.
func (tm *terminal) watch(on bool) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tm.unwatched = !on
}

// Five hundred sizes a second while three seats stream: nothing is lost of what
// they say, and the screen is right when it comes to rest.
func TestResize_aStormOfThemWhileItStreams(t *testing.T) {
	skipShort(t)
	t.Parallel()
	srv := endpoint.New(t, orator(250, 5*time.Millisecond))
	tm := open(t, home(t), 120, 36, "--config", panel(t, srv.URL, ""), "new", "Is it so?", "--rounds", "1", "--start")
	tm.await("round 1 of 1", "writing")
	tm.watch(false)
	random := rand.New(rand.NewPCG(17, 19))
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range 500 {
		<-tick.C
		tm.resize(1+random.IntN(240), 1+random.IntN(80))
	}
	tm.resize(120, 36)
	for before := len(tm.written()); !strings.Contains(tm.written()[before:], "“yes”, 3 of 3"); {
		select {
		case <-tm.changed:
		case <-time.After(patience):
			t.Fatal("the verdict is not drawn")
		}
	}
	tm.watch(true)
	tm.resize(119, 36) // all is drawn anew
	tm.await("completed", "✓ “yes”, 3 of 3", "? help")
	tm.press(esc, "1 M1 · m1 ", "2 M2 · m2 ", "3 M3 · m3 ", "word-249", "z zoom")
	was := tm.text()
	tm.resize(60, 20)
	tm.await("1 M1 ✓ done") // a tab: it has been drawn for that size
	tm.resize(119, 36)
	tm.await(strings.Split(was, "\n")...)
	tm.send(ctrlC)
	if code := tm.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
