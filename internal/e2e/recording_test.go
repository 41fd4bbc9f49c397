//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
)

// recordings has a page for each flow, with the screens at which somebody would stop to read.
// None has a clock, an id or a path of the machine that made it.
const recordings = "internal/e2e/testdata/recordings"

// frame is a screen of a recording.
type frame struct {
	name string
	keys string // that led to it
	text string
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
	return &recorder{terminal: tm, file: file, title: title, ids: ids, stored: framesOf(readRoot(tm, recordings+"/"+file+".md"))}
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
		f := frame{name, r.keys, r.masked(r.text())}
		i := len(r.now)
		same := i < len(r.stored) && r.stored[i].name == name && withoutAges(r.stored[i].text) == withoutAges(f.text)
		if same {
			f = r.stored[i]
		}
		if same || *update || time.Now().After(deadline) {
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

// The ids of sessions in recordings.
var recordedIDs = []string{"k7m2x9qd4t", "m9x1c4w8ze"}

var (
	clock   = regexp.MustCompile(`\d\d:\d\d:\d\d`)
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

// finish compares the recording with the stored one, or writes it, and the README's picture
// if it is one of its screens.
func (r *recorder) finish() {
	r.Helper()
	files := map[string]string{recordings + "/" + r.file + ".md": pageOf(r.title, r.now)}
	if r.file == "demo" {
		files["README.md"] = readmeWith(r, readRoot(r, "README.md"), r.now)
	}
	for name, want := range files {
		if got := readRoot(r, name); got == want {
			continue
		} else if !*update {
			r.Errorf("%s is another one now; -update records it, and git diff shows it: %s", name, cmp.Diff(got, want))
		} else if err := os.WriteFile(filepath.Join(moduleRoot, filepath.FromSlash(name)), []byte(want), 0o644); err != nil {
			r.Error(err)
		}
	}
}

// framesOf returns the screens of a page.
func framesOf(page string) (out []frame) {
	for _, part := range strings.Split(page, "\n## ")[1:] {
		name, rest, _ := strings.Cut(part, "\n\n")
		keys, text, _ := strings.Cut(rest, "```text\n")
		keys, _ = strings.CutPrefix(strings.TrimSpace(keys), "Keys: ")
		text, _, _ = strings.Cut(text, "```\n")
		out = append(out, frame{name, keys, text})
	}
	return out
}

// pageOf returns the screens of a recording as a page.
func pageOf(title string, all []frame) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nMade by `TestRecordings`; [README.md](README.md) says how.\n", title)
	for _, f := range all {
		fmt.Fprintf(&b, "\n## %s\n\n", f.name)
		if f.keys != "" {
			fmt.Fprintf(&b, "Keys: %s\n\n", f.keys)
		}
		fmt.Fprintf(&b, "```text\n%s```\n", f.text)
	}
	return b.String()
}
