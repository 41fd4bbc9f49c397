package attach

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/cite"
	"roundtable/tui/screen"
)

// Service finds and attaches files for all screens. It remembers what paths name, for
// the chips; what is attached is looked at anew. It keeps the context that its commands
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

// foundMsg is what paths name.
type foundMsg struct {
	paths []string
	found map[string]Found
}

// Look returns a command that finds out what paths name.
func (s *Service) Look(paths ...string) tea.Cmd {
	if s.Off() || len(paths) == 0 {
		return nil
	}
	return func() tea.Msg {
		msg := foundMsg{paths: paths, found: map[string]Found{}}
		for _, p := range paths {
			if f, err := s.files.Find(s.ctx, p); err == nil {
				msg.found[p] = f
			}
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

// Known returns what a path names, as far as it was looked at.
func (s *Service) Known(path string) (Found, bool) {
	if s.Off() {
		return Found{}, false
	}
	f, ok := s.found[path]
	return f, ok
}

// Of returns the file of a mention, as far as it was looked at.
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
			if f, there := msg.found[p]; there {
				s.found[p] = f
			}
		}
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
