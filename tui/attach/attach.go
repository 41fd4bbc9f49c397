// Package attach turns paths that the user types into evidence: it finds the @paths in
// a text, completes them, and reads their files when the text is sent.
//
// It imports screen for what the shell is asked to do, theme to draw, and debate and
// internal/text for values. What it needs of the file system and of a store are the
// small interfaces here; it must not know screens. Nothing here blocks: whatever may is
// a command.
package attach

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/screen"
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
	Size int64             // in bytes; of a folder that of its files; 0 if it is not read before the user agrees
	Read []debate.Evidence // nil until it was read
	Ask  string            // why the user is asked first, such as "is outside this folder"; "" if not

	gone string // why the path names nothing; "" if it does
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

// Service finds and attaches files for all screens. It remembers what paths name, for
// the chips; files are read again when they are attached. It keeps the context that its commands
// run in, since Bubble Tea hands none out.
type Service struct {
	ctx   context.Context
	files Files
	adder Adder
	saves *screen.SaveQueue
	found map[string]Found
}

// New returns a service. Without files no @path is found; the queue orders what is
// added to sessions among the other saves.
func New(ctx context.Context, files Files, adder Adder, saves *screen.SaveQueue) *Service {
	return &Service{ctx: ctx, files: files, adder: adder, saves: saves, found: map[string]Found{}}
}

// Off reports whether nothing can be attached.
func (s *Service) Off() bool { return s == nil || s.files == nil }

// Look returns a command that finds out what paths name.
func (s *Service) Look(paths ...string) tea.Cmd {
	if s.Off() || len(paths) == 0 {
		return nil
	}
	return func() tea.Msg {
		found := map[string]Found{}
		for _, p := range paths {
			f, err := s.files.Find(s.ctx, p)
			if err != nil {
				f = Found{gone: Refusal(err)}
			}
			found[p] = f
		}
		return screen.Then(func() screen.Outcome {
			maps.Copy(s.found, found)
			return nil
		})
	}
}

// Known returns what a path names, if it was looked up.
func (s *Service) Known(path string) (Found, bool) {
	if s.Off() {
		return Found{}, false
	}
	f, ok := s.found[path]
	return f, ok && f.gone == ""
}

// Missing says why a path that was looked up names nothing; "" if it does, or was not.
func (s *Service) Missing(path string) string {
	if s.Off() {
		return ""
	}
	return s.found[path].gone
}

// Of returns the file of a mention, if it was looked up.
func (s *Service) Of(m cite.Mention) (Found, bool) {
	for _, p := range m.Paths() {
		if f, ok := s.Known(p); ok {
			return f, true
		}
	}
	return Found{}, false
}

// In returns the files that a text mentions, each once.
func (s *Service) In(m *Mentions, text string) (out []Found) {
	for _, one := range m.In(text) {
		f, ok := s.Of(one)
		if ok && !slices.ContainsFunc(out, func(g Found) bool { return g.Path == f.Path }) {
			out = append(out, f)
		}
	}
	return out
}

// Send is what Begin attaches the files of, before it is sent. Exactly one of Then and Back
// follows.
type Send struct {
	Texts    []string
	Mentions *Mentions // of the texts
	Paths    []string  // further files, which come first; the user is not asked about them again
	Session  string    // that the evidence is added to; "": it is of a new one
	Key      string    // that sends, and agrees to a question; "": enter

	// Then is called with the texts, in which ids stand for paths, and with all evidence
	// of the session; nil if nothing was attached.
	Then func(texts []string, all []debate.Evidence) screen.Outcome
	// Back is called if nothing is sent: with the error, or with nil if the user was
	// asked and did not agree.
	Back func(error) screen.Outcome
}

type file struct {
	Found
	Reading
}

// maxAsked is the largest width of a name in a question, so that it fits 80 columns.
const maxAsked = 28

// why says why the user is asked before it is attached; "" if not. Secrets come first.
func (f file) why() string {
	why := cmp.Or(f.Outside, f.Ask)
	switch {
	case len(f.Secrets) > 0:
		return Short(f.Secrets[0], maxAsked) + " may hold secrets"
	case why != "":
		return Short(f.Name, maxAsked) + " " + text.Line(why)
	}
	return ""
}

// wanted is a file that is to be attached, by the first of its paths that names one.
type wanted struct {
	paths []string
	must  bool // it is named by the user, or was shown as a chip: else it may be plain text
}

// Begin attaches the files of a Send, or calls Then at once if it has none.
func (s *Service) Begin(send Send) screen.Outcome {
	all := text.Each(send.Paths, func(p string) wanted { return wanted{[]string{p}, true} })
	for _, t := range send.Texts {
		for _, m := range send.Mentions.In(t) {
			_, shown := s.Of(m)
			all = append(all, wanted{m.Paths(), shown})
		}
	}
	if len(all) == 0 || s.Off() {
		return send.Then(send.Texts, nil)
	}
	return screen.Run(func() tea.Msg {
		files, err := s.read(all)
		return screen.Then(func() screen.Outcome { return s.reading(send, files, err) })
	})
}

// read reads files, each once.
func (s *Service) read(all []wanted) (files []file, err error) {
	for _, w := range all {
		f, err := s.find(w.paths)
		switch {
		case err != nil && w.must:
			return nil, err
		case err != nil, slices.ContainsFunc(files, func(g file) bool { return g.Path == f.Path }):
			continue
		}
		content, err := s.files.Read(s.ctx, f.Path)
		if err == nil && len(content.Evidence) == 0 {
			err = fmt.Errorf("%s has nothing to read", text.Line(f.Name))
		}
		if err != nil {
			return nil, err
		}
		f.Size, f.Read = 0, content.Evidence
		for _, e := range content.Evidence {
			f.Size += int64(e.Size)
		}
		files = append(files, file{f, content})
	}
	return files, nil
}

func (s *Service) find(paths []string) (f Found, err error) {
	err = fs.ErrNotExist
	for _, p := range paths {
		if f, err = s.files.Find(s.ctx, p); err == nil {
			f.Path = p
			break
		}
	}
	return f, err
}

// reading asks the user about files that need it, and attaches them.
func (s *Service) reading(send Send, files []file, err error) screen.Outcome {
	if err != nil {
		return send.Back(err)
	}
	var asks []string
	for _, f := range files {
		s.found[f.Path] = f.Found
		if why := f.why(); why != "" && !slices.Contains(send.Paths, f.Path) {
			asks = append(asks, why)
		}
	}
	return s.ask(send, files, asks)
}

func (s *Service) ask(send Send, files []file, asks []string) screen.Outcome {
	if len(asks) == 0 {
		return screen.Run(s.add(send, files))
	}
	return screen.Outcome{screen.Question{
		Text: asks[0] + ".", About: screen.Approval, Key: send.Key, Verb: "attach",
		Do:      func() screen.Outcome { return s.ask(send, files, asks[1:]) },
		Dropped: func() screen.Outcome { return send.Back(nil) },
	}}
}

// add returns a command that adds what was read to the session of a Send, or for a new
// one to none.
func (s *Service) add(send Send, files []file) tea.Cmd {
	var added []debate.Evidence
	for _, f := range files {
		added = append(added, f.Evidence...)
	}
	ctx := context.WithoutCancel(s.ctx)
	return s.saves.Add(func() tea.Msg {
		var d debate.Session
		var err error
		if send.Session == "" {
			d.Evidence, err = debate.AddEvidence(nil, added)
		} else {
			d, err = s.adder.AddEvidence(ctx, send.Session, added...)
		}
		return screen.Then(func() screen.Outcome { return attached(send, files, d.Evidence, err) })
	})
}

// attached sends the texts, with ids in the place of paths.
func attached(send Send, files []file, all []debate.Evidence, err error) screen.Outcome {
	if err != nil {
		return send.Back(err)
	}
	ids := map[string]string{} // by path
	var notices []string
	for _, f := range files {
		is := func(e debate.Evidence) bool { return e.SHA256 == f.Evidence[0].SHA256 && e.Name == f.Evidence[0].Name }
		if at := slices.IndexFunc(all, is); at >= 0 {
			ids[f.Path] = all[at].ID
		}
		notices = append(notices, f.Notices...)
	}
	texts := text.Each(send.Texts, func(t string) string { return cite.ReplaceMentions(t, send.Mentions.In(t), ids) })
	out := send.Then(texts, all)
	if len(notices) > 0 {
		out = append(out, screen.Tell(screen.Warning, strings.Join(notices, " "))...)
	}
	return out
}

// Refusal returns why a file was not attached. It begins with the name of the file.
func Refusal(err error) string { return strings.TrimSuffix(text.Line(err.Error()), ".") + "." }
