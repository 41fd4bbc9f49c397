package attach

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

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

// file is a file or folder that was read.
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

// Begin attaches the files of a Send, or goes on at once if there are none.
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

// read reads paths and what is mentioned. A mention of nothing is text, unless its file
// was shown.
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

// findAny finds the file of a mention.
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

// ask asks about one file after the other, so that each is named, and attaches them.
func (s *Service) ask(msg readMsg, asks []string) screen.Outcome {
	if len(asks) == 0 {
		return screen.Run(s.add(msg.send, msg.files))
	}
	return screen.Outcome{screen.Question{
		Text: asks[0] + ".", Key: msg.send.Key, Verb: "attach",
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

// attached puts the ids into the texts.
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
