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
	Size int64             // in bytes; of a folder 0 until it was read
	Read []debate.Evidence // nil until it was read
	Ask  string            // why the user is asked first, such as "is outside this folder"; "" if not
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
	gone  map[string]string // why paths that were looked up name nothing
}

// New returns a service. Without files no @path is found; the queue orders what is
// added to sessions among the other saves.
func New(ctx context.Context, files Files, adder Adder, saves *screen.SaveQueue) *Service {
	return &Service{ctx: ctx, files: files, adder: adder, saves: saves, found: map[string]Found{}, gone: map[string]string{}}
}

// Off reports whether nothing can be attached.
func (s *Service) Off() bool { return s == nil || s.files == nil }

type foundMsg struct {
	paths []string
	found map[string]Found
	gone  map[string]string
}

// Look returns a command that finds out what paths name.
func (s *Service) Look(paths ...string) tea.Cmd {
	if s.Off() || len(paths) == 0 {
		return nil
	}
	return func() tea.Msg {
		msg := foundMsg{paths: paths, found: map[string]Found{}, gone: map[string]string{}}
		for _, p := range paths {
			f, err := s.files.Find(s.ctx, p)
			if err != nil {
				msg.gone[p] = Refusal(err)
				continue
			}
			msg.found[p] = f
		}
		return msg
	}
}

// LookAt returns a command that finds the mention at the cursor.
func (s *Service) LookAt(m *Mentions, text string, line, column int) tea.Cmd {
	if s.Off() {
		return nil
	}
	if at, ok := mentionAt(text, line, column); ok && at.Word != "" {
		return s.Look(at.Paths()...)
	}
	return nil
}

// Known returns what a path names, if it was looked up.
func (s *Service) Known(path string) (Found, bool) {
	if s.Off() {
		return Found{}, false
	}
	f, ok := s.found[path]
	return f, ok
}

// Missing says why a path that was looked up names nothing; "" if it does, or was not.
func (s *Service) Missing(path string) string {
	if s.Off() {
		return ""
	}
	return s.gone[path]
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
func (s *Service) In(m *Mentions, text string) []Found {
	var out []Found
	seen := map[string]bool{}
	for _, one := range m.In(text) {
		if f, ok := s.Of(one); ok && !seen[f.Path] {
			seen[f.Path] = true
			out = append(out, f)
		}
	}
	return out
}

// Receive handles the messages of the service's commands. It reports whether the
// message is one.
func (s *Service) Receive(msg tea.Msg) (out screen.Outcome, ok bool) {
	switch msg := msg.(type) {
	case foundMsg:
		for _, p := range msg.paths {
			delete(s.found, p)
			delete(s.gone, p)
		}
		maps.Copy(s.found, msg.found)
		maps.Copy(s.gone, msg.gone)
		return nil, true
	case completedMsg:
		return msg.field.completed(msg), true
	case readMsg:
		return s.reading(msg), true
	case attachedMsg:
		return s.attached(msg), true
	}
	return nil, false
}

func (f *Field) completed(msg completedMsg) screen.Outcome {
	typed, ok := f.At()
	switch {
	case !ok || typed != msg.typed: // it was changed meanwhile
		return nil
	case msg.err != nil:
		return f.tell(Refusal(msg.err))
	case f.Leave != nil && (len(msg.paths) == 0 || f.listed == typed && typed != ""):
		f.listed = ""
		return f.Leave()
	case len(msg.paths) == 0 && typed == "":
		return f.tell("There is no file here.")
	case len(msg.paths) == 0:
		return f.tell(fmt.Sprintf("No file begins with %s.", text.Clip(text.Line(typed), maxName)))
	}
	common := msg.paths[0]
	for _, p := range msg.paths {
		common = commonPrefix(common, p)
	}
	if more, ok := strings.CutPrefix(common, typed); ok && more != "" {
		return f.Insert(more)
	}
	f.listed = typed
	return f.tell(choices(msg.paths, len(typed)))
}

// Send asks the shell to attach the files of texts before they are sent. Exactly one of
// Then and Back follows.
type Send struct {
	Texts    []string
	Mentions *Mentions // of the texts; nil: none
	Paths    []string  // further files, which come first
	Agreed   []string  // paths that the user need not be asked about again
	Session  string    // that the evidence is added to; "": it is of a new one
	Key      string    // that sends, and agrees to a question; "": enter

	// Then is called with the texts, in which ids stand for paths, and with all evidence
	// of the session; nil if nothing was attached.
	Then func(texts []string, all []debate.Evidence) screen.Outcome
	// Back is called if nothing is sent: with the error, or with nil if the user was
	// asked and did not agree.
	Back func(error) screen.Outcome
}

type (
	// readMsg is what was read for a Send.
	readMsg struct {
		send  Send
		files []file
		err   error
	}
	// attachedMsg is the evidence of a session once the files were added.
	attachedMsg struct {
		send  Send
		files []file
		all   []debate.Evidence
		err   error
	}
)

type file struct {
	Found
	Reading
}

// maxAsked is the largest width of a name in a question, so that it fits 80 columns.
const maxAsked = 28

// why says why the user is asked before it is attached; "" if not. Secrets come first.
func (f file) why() string {
	switch {
	case len(f.Secrets) > 0:
		return Short(f.Secrets[0], maxAsked) + " may hold secrets"
	case f.Outside != "":
		return Short(f.Name, maxAsked) + " " + text.Line(f.Outside)
	case f.Ask != "":
		return Short(f.Name, maxAsked) + " " + text.Line(f.Ask)
	default:
		return ""
	}
}

// Begin attaches the files of a Send, or calls Then at once if it has none.
func (s *Service) Begin(send Send) screen.Outcome {
	var mentions []cite.Mention
	if send.Mentions != nil && !s.Off() {
		for _, t := range send.Texts {
			mentions = append(mentions, send.Mentions.In(t)...)
		}
	}
	if len(mentions)+len(send.Paths) == 0 {
		return send.Then(send.Texts, nil)
	}
	shown := map[string]bool{} // words whose chips were shown
	for _, m := range mentions {
		_, shown[m.Word] = s.Of(m)
	}
	return screen.Run(func() tea.Msg {
		files, err := s.read(send.Paths, mentions, shown)
		return readMsg{send, files, err}
	})
}

// read reads paths and mentioned files. A mention without a file is plain text, unless a
// chip was shown for it.
func (s *Service) read(paths []string, mentions []cite.Mention, shown map[string]bool) ([]file, error) {
	var all []file
	add := func(path string, f Found) error {
		if slices.ContainsFunc(all, func(g file) bool { return g.Path == path }) {
			return nil
		}
		content, err := s.files.Read(s.ctx, path)
		if err == nil && len(content.Evidence) == 0 {
			err = fmt.Errorf("%s has nothing to read", text.Line(f.Name))
		}
		f.Path, f.Size, f.Read = path, 0, content.Evidence
		for _, e := range content.Evidence {
			f.Size += int64(e.Size)
		}
		all = append(all, file{f, content})
		return err
	}
	for _, p := range paths {
		f, err := s.files.Find(s.ctx, p)
		if err == nil {
			err = add(p, f)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, m := range mentions {
		f, err := s.findAny(m)
		switch {
		case err != nil && shown[m.Word]:
			return nil, err
		case err != nil:
			continue
		}
		if err := add(f.Path, f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *Service) findAny(m cite.Mention) (Found, error) {
	err := fs.ErrNotExist
	for _, p := range m.Paths() {
		var f Found
		if f, err = s.files.Find(s.ctx, p); err == nil {
			f.Path = p
			return f, nil
		}
	}
	return Found{}, err
}

// reading asks the user about files that need it, and attaches them.
func (s *Service) reading(msg readMsg) screen.Outcome {
	if msg.err != nil {
		return msg.send.Back(msg.err)
	}
	var asks []string
	for _, f := range msg.files {
		s.found[f.Path] = f.Found
		if why := f.why(); why != "" && !slices.Contains(msg.send.Agreed, f.Path) {
			asks = append(asks, why)
		}
	}
	return s.ask(msg, asks)
}

func (s *Service) ask(msg readMsg, asks []string) screen.Outcome {
	if len(asks) == 0 {
		return screen.Run(s.add(msg.send, msg.files))
	}
	return screen.Outcome{screen.Question{
		Text: asks[0] + ".", About: screen.Approval, Key: msg.send.Key, Verb: "attach",
		Do:      func() screen.Outcome { return s.ask(msg, asks[1:]) },
		Dropped: func() screen.Outcome { return msg.send.Back(nil) },
	}}
}

// add returns a command that adds what was read to the session of a Send, or for a new
// one to none.
func (s *Service) add(send Send, files []file) tea.Cmd {
	var added []debate.Evidence
	for _, f := range files {
		added = append(added, f.Evidence...)
	}
	if send.Session == "" {
		return func() tea.Msg {
			all, err := debate.AddEvidence(nil, added)
			return attachedMsg{send, files, all, err}
		}
	}
	ctx := context.WithoutCancel(s.ctx)
	return s.saves.Add(func() tea.Msg {
		d, err := s.adder.AddEvidence(ctx, send.Session, added...)
		return attachedMsg{send, files, d.Evidence, err}
	})
}

func (s *Service) attached(msg attachedMsg) screen.Outcome {
	if msg.err != nil {
		return msg.send.Back(msg.err)
	}
	ids := map[string]string{} // by path
	var notices []string
	for _, f := range msg.files {
		is := func(e debate.Evidence) bool { return e.SHA256 == f.Evidence[0].SHA256 && e.Name == f.Evidence[0].Name }
		if at := slices.IndexFunc(msg.all, is); at >= 0 {
			ids[f.Path] = msg.all[at].ID
		}
		notices = append(notices, f.Notices...)
	}
	texts := slices.Clone(msg.send.Texts)
	if m := msg.send.Mentions; m != nil {
		for i, t := range texts {
			texts[i] = cite.ReplaceMentions(t, m.In(t), ids)
		}
	}
	out := msg.send.Then(texts, msg.all)
	if len(notices) > 0 {
		out = append(out, screen.Tell(screen.Warning, strings.Join(notices, " "))...)
	}
	return out
}

// Refusal returns why a file was not attached. It begins with the name of the file.
func Refusal(err error) string { return strings.TrimSuffix(text.Line(err.Error()), ".") + "." }
