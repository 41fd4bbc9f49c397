// Package attach turns paths that the user types into evidence: it finds the @paths in
// a text, completes them, and reads their files when the text is sent.
//
// It imports screen for what the shell is asked to do, theme to draw, and debate and
// internal/text for values. What it needs of the file system and of a store are the
// small interfaces here; it must not know screens. Nothing here blocks: whatever may is
// a command.
package attach

import (
	"context"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Files looks at the files that the user names by a path.
type Files interface {
	// Complete returns the paths that begin as typed, in order; those of folders end
	// with a slash.
	Complete(ctx context.Context, typed string) ([]string, error)
	// Find returns what a path names without reading it.
	Find(ctx context.Context, path string) (Found, error)
	// Read reads a path: a file, or the tree of a folder and the files in it. The error
	// names what was refused and why.
	Read(ctx context.Context, path string) (Reading, error)
}

// Reading is what a path was read as.
type Reading struct {
	Evidence []debate.Evidence // without ids; what the path is cited as comes first
	Secrets  []string          // names of files that look like secrets
	Notices  []string          // sentences about what was left out
	Outside  string            // why the user is asked, if the path led elsewhere than to where it was found; "" if not
}

// Adder adds evidence to a stored session.
type Adder interface {
	// AddEvidence stores what the session does not have, by name and text, and returns
	// the session.
	AddEvidence(ctx context.Context, session string, added ...debate.Evidence) (debate.Session, error)
}

// Found is what a path names.
type Found struct {
	Path string // as Read takes it
	Name string // as evidence is called
	Kind debate.EvidenceKind
	Size int64             // in bytes; of a folder 0 until it was read
	Read []debate.Evidence // nil until it was read
	Ask  string            // why the user is asked first, such as "is outside this folder"; "" if not
}

// label returns name, kind and size as the words of a chip, made safe.
func (f Found) label(th *theme.Theme) string {
	words := Short(f.Name, maxName)
	if f.Kind != debate.EvidenceFile {
		words += " " + th.Symbols.Sep + " " + text.Line(string(f.Kind))
	}
	if f.Size > 0 {
		words += " " + th.Symbols.Sep + " " + text.Bytes(f.Size)
	}
	return words
}

// maxName is the largest number of characters of a name in a chip.
const maxName = 40

// Short returns the end of a name that has more than so many characters, made safe.
func Short(name string, most int) string {
	name = text.Line(name)
	if over := theme.Width(name) - most; over > 0 {
		return ansi.TruncateLeft(name, over+1, "…")
	}
	return name
}
