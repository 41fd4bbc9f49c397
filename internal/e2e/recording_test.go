//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
)

// Recordings are in internal/e2e/testdata/recordings: for each an asciicast of the screens at which somebody
// would stop to read, and a page with the same screens as text. Neither has a clock, an id
// or a path of the machine that made it.
const recordings = "internal/e2e/testdata/recordings"

// readable is how many seconds a screen of a recording stays.
const readable = 4

// frame is a screen of a recording.
type frame struct {
	name  string
	keys  string // that led to it
	drawn string // with its colors
	text  string
	moves bool // what is drawn depends on time: it is not compared
}

// recorder records the screens of one flow, or compares them with the stored ones.
type recorder struct {
	*terminal
	file, title string
	ids         []string // of sessions, which get others in the recording
	keys        string   // typed since the last screen
	stored, now []frame
}

// record returns a recorder of what a terminal shows.
func record(tm *terminal, file, title string, ids ...string) *recorder {
	tm.Helper()
	r := &recorder{terminal: tm, file: file, title: title, ids: ids}
	if cast, err := os.ReadFile(r.path(".cast")); err == nil {
		r.stored = framesOf(tm, cast)
	}
	return r
}

func (r *recorder) path(ext string) string {
	return filepath.Join(filepath.FromSlash(moduleRoot), filepath.FromSlash(recordings), r.file+ext)
}

// types types keys, which the recording names.
func (r *recorder) types(keys, name string) {
	r.Helper()
	r.send(keys)
	r.keys = strings.TrimSpace(r.keys + " " + name)
}

// stop waits until the screen shows all of want and has the same text as the stored
// recording, and takes it.
func (r *recorder) stop(name string, want ...string) {
	r.Helper()
	r.await(want...)
	deadline := time.Now().Add(patience / 6)
	for {
		if *update {
			r.settle()
		}
		f := r.take(name)
		if *update || r.agrees(f) || time.Now().After(deadline) {
			r.now = append(r.now, f)
			r.keys = ""
			return
		}
		select {
		case <-r.changed:
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// pass takes a screen on which something moves. It is not compared, and waited for only to
// record it.
func (r *recorder) pass(name string, want ...string) {
	r.Helper()
	f := frame{name: name, keys: r.keys}
	if *update {
		r.await(want...)
		f = r.take(name)
	}
	f.moves = true
	r.now = append(r.now, f)
	r.keys = ""
}

// settle waits until nothing was drawn for a while, or for two seconds: ages tick.
func (r *recorder) settle() {
	deadline := time.After(2 * time.Second)
	for {
		select {
		case <-r.changed:
		case <-time.After(500 * time.Millisecond):
			return
		case <-deadline:
			return
		}
	}
}

// agrees reports whether a screen is the one that is stored in its place.
func (r *recorder) agrees(f frame) bool {
	i := len(r.now)
	return i < len(r.stored) && r.stored[i].name == f.name && withoutAges(r.stored[i].text) == withoutAges(f.text)
}

// take returns the screen as it is, without what differs from run to run.
func (r *recorder) take(name string) frame {
	r.mu.Lock()
	defer r.mu.Unlock()
	return frame{name: name, keys: r.keys, drawn: r.masked(r.screen.Render()), text: r.masked(r.rows())}
}

// The ids of sessions in recordings.
var recordedIDs = []string{"k7m2x9qd4t", "m9x1c4w8ze"}

var (
	clock   = regexp.MustCompile(`\d\d:\d\d:\d\d`) // a color may end before it
	seconds = regexp.MustCompile(`\d{1,2} s\b`)
)

// masked replaces clocks, ages and ids by others of the same width.
func (r *recorder) masked(s string) string {
	for i, id := range r.ids {
		s = strings.ReplaceAll(s, id, recordedIDs[i])
	}
	s = clock.ReplaceAllString(s, "12:00:00")
	return seconds.ReplaceAllStringFunc(s, func(age string) string { return "12345"[:len(age)-2] + " s" })
}

// end compares the recording with the stored one, or writes it.
func (r *recorder) finish() {
	r.Helper()
	if same := slices.EqualFunc(r.now, r.stored, func(a, b frame) bool {
		return a.name == b.name && (a.moves || withoutAges(a.text) == withoutAges(b.text))
	}); same {
		return
	}
	if *update {
		r.write()
		return
	}
	for i, f := range r.now {
		if i >= len(r.stored) || r.stored[i].name != f.name {
			r.Errorf("%s.cast has no screen %q in its place; -update records it", r.file, f.name)
			return
		}
		if old := r.stored[i]; !f.moves && withoutAges(old.text) != withoutAges(f.text) {
			r.Errorf("%s.cast: the screen %q is another one now; -update records it, and git diff shows it. The program draws:\n%s\nand not:\n%s",
				r.file, f.name, f.text, old.text)
		}
	}
	if len(r.now) < len(r.stored) {
		r.Errorf("%s.cast has %d screens too many", r.file, len(r.stored)-len(r.now))
	}
}

// write writes the recording, its page, and the README's picture if it is one of its screens.
func (r *recorder) write() {
	r.Helper()
	files := map[string][]byte{r.path(".cast"): r.cast(), r.path(".md"): pageOf(r.title, r.file, r.now)}
	if r.file == "demo" {
		readme := filepath.Join(filepath.FromSlash(moduleRoot), "README.md")
		files[readme] = []byte(readmeWith(r, readRoot(r, "README.md"), r.now))
	}
	for path, content := range files {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			r.Error(err)
		}
	}
}

// cast returns the recording as an asciicast, version 2. The name of each screen is a
// marker, and the keys that led to it are input.
func (r *recorder) cast() []byte {
	var b bytes.Buffer
	line := func(v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			r.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	event := func(at int, kind, data string) { line([]any{json.RawMessage(strconv.Itoa(at) + ".0"), kind, data}) }
	line(struct {
		Version int    `json:"version"`
		Width   int    `json:"width"`
		Height  int    `json:"height"`
		Title   string `json:"title"`
	}{2, r.w, r.h, r.title})
	at := 0
	for _, f := range r.now {
		if f.keys != "" {
			event(at, "i", f.keys)
		}
		event(at, "m", f.name)
		rows := strings.ReplaceAll(strings.TrimRight(f.drawn, "\n"), "\n", "\x1b[0m\r\n")
		event(at, "o", "\x1b[?25l\x1b[0m\x1b[H\x1b[2J"+rows+"\x1b[0m")
		at += readable
	}
	event(at, "o", "\x1b[?25h")
	return b.Bytes()
}

// framesOf returns the screens of an asciicast, as a terminal shows them.
func framesOf(t testing.TB, cast []byte) []frame {
	t.Helper()
	var head struct{ Width, Height int }
	lines := strings.Split(strings.TrimSpace(string(cast)), "\n")
	if err := json.Unmarshal([]byte(lines[0]), &head); err != nil {
		t.Fatalf("the head of a recording: %v", err)
	}
	shown := &terminal{TB: t, screen: vt.NewEmulator(head.Width, head.Height), w: head.Width, h: head.Height}
	var out []frame
	var next frame
	for _, raw := range lines[1:] {
		var at float64
		var kind, data string
		if err := json.Unmarshal([]byte(raw), &[]any{&at, &kind, &data}); err != nil {
			t.Fatalf("an event of a recording: %v", err)
		}
		switch {
		case kind == "i":
			next.keys = data
		case kind == "m":
			next.name = data
		case next.name != "":
			shown.screen.Write([]byte(data)) //nolint:errcheck // it is in memory
			next.drawn, next.text = data, shown.text()
			out, next = append(out, next), frame{}
		}
	}
	return out
}

// pageOf returns the screens of a recording as a page.
func pageOf(title, file string, all []frame) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\nMade by `TestRecordings`; [README.md](README.md) says how. ", title)
	fmt.Fprintf(&b, "`asciinema play %s.cast` plays it in color.\n", file)
	for _, f := range all {
		fmt.Fprintf(&b, "\n## %s\n\n", f.name)
		if f.keys != "" {
			fmt.Fprintf(&b, "Keys: %s\n\n", f.keys)
		}
		fmt.Fprintf(&b, "```text\n%s```\n", f.text)
	}
	return b.Bytes()
}
