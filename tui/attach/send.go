package attach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
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

	// Then is called with the texts, in which ids stand for paths, and with all evidence
	// of the session; nil if nothing was attached.
	Then func(texts []string, all []debate.Evidence) screen.Outcome
	// Back is called if nothing is sent: with the error, or with nil if the user was
	// asked and did not agree.
	Back func(error) screen.Outcome
}

type (
	// preparedMsg is what the paths of texts name.
	preparedMsg struct {
		send  Send
		found []Found
		err   error
	}
	// attachedMsg is the evidence of the files.
	attachedMsg struct {
		send  Send
		found []Found
		ids   map[string]string // by path
		all   []debate.Evidence // that the session has now
		err   error
	}
)

// Begin attaches the files of a Send, or goes on at once if there are none.
func (s *Service) Begin(send Send) screen.Outcome {
	var mentions []Mention
	if send.Mentions != nil && !s.Off() {
		for _, t := range send.Texts {
			mentions = append(mentions, send.Mentions.In(t)...)
		}
	}
	if len(mentions)+len(send.Paths) == 0 {
		return send.Then(send.Texts, nil)
	}
	return screen.Run(func() tea.Msg { return s.prepare(send, mentions) })
}

// prepare finds out what the paths name. A mention of nothing is text.
func (s *Service) prepare(send Send, mentions []Mention) preparedMsg {
	msg := preparedMsg{send: send}
	add := func(f Found) {
		if !slices.ContainsFunc(msg.found, func(g Found) bool { return g.Path == f.Path }) {
			msg.found = append(msg.found, f)
		}
	}
	for _, p := range send.Paths {
		f, err := s.files.Find(s.ctx, p)
		if err != nil {
			msg.err = err
			return msg
		}
		add(f)
	}
	for _, m := range mentions {
		for _, p := range m.Paths() {
			f, err := s.files.Find(s.ctx, p)
			if err == nil {
				f.Path = p
				add(f)
				break
			}
			if !errors.Is(err, fs.ErrNotExist) {
				msg.err = err
				return msg
			}
		}
	}
	return msg
}

// prepared asks the user about files that need it, and reads them.
func (s *Service) prepared(msg preparedMsg) screen.Outcome {
	if msg.err != nil {
		return msg.send.Back(msg.err)
	}
	for _, f := range msg.found {
		s.found[f.Path] = f
	}
	var asks []Found
	for _, f := range msg.found {
		if f.Ask != "" && !slices.Contains(msg.send.Agreed, f.Path) {
			asks = append(asks, f)
		}
	}
	read := screen.Run(s.read(msg.send, msg.found))
	if len(asks) == 0 {
		return read
	}
	f := asks[0]
	words := fmt.Sprintf("%s %s. Attach it?", text.Line(f.Name), text.Line(f.Ask))
	if n := len(asks) - 1; n > 0 {
		words = fmt.Sprintf("%s %s, and %d more. Attach them?", text.Line(f.Name), text.Line(f.Ask), n)
	}
	return screen.Outcome{screen.Question{
		Text: words, Keys: "enter attach · esc back",
		Answers: map[string]func() screen.Outcome{"enter": func() screen.Outcome { return read }},
		Dropped: func() screen.Outcome { return msg.send.Back(nil) },
	}}
}

// read returns a command that reads the files and adds them to the session.
func (s *Service) read(send Send, found []Found) tea.Cmd {
	load := func() tea.Msg {
		msg := attachedMsg{send: send, found: slices.Clone(found), ids: map[string]string{}}
		msg.all, msg.err = s.load(send.Session, msg.found, msg.ids)
		return msg
	}
	if send.Session == "" {
		return load
	}
	return s.saves.Add(load)
}

// load reads the files, whose sizes it sets, and returns the evidence of the session with
// them. Ids gets that of each path.
func (s *Service) load(session string, found []Found, ids map[string]string) ([]debate.Evidence, error) {
	var added []debate.Evidence
	first := map[string]debate.Evidence{} // what a path is cited as
	for i, f := range found {
		pieces, err := s.files.Read(s.ctx, f.Path)
		if err != nil {
			return nil, err
		}
		if len(pieces) == 0 {
			return nil, fmt.Errorf("%s: there is nothing in it to read", text.Line(f.Name))
		}
		found[i].Size, first[f.Path] = sizeOf(pieces), pieces[0]
		added = append(added, pieces...)
	}
	all, err := s.add(session, added)
	if err != nil {
		return nil, err
	}
	for path, e := range first {
		at := slices.IndexFunc(all, func(o debate.Evidence) bool { return o.SHA256 == e.SHA256 && o.Name == e.Name })
		if at < 0 {
			return nil, fmt.Errorf("%s was not stored", text.Line(e.Name))
		}
		ids[path] = all[at].ID
	}
	return all, nil
}

// add adds evidence to a session, or for "" to none, and returns all that it has then.
func (s *Service) add(session string, added []debate.Evidence) ([]debate.Evidence, error) {
	if session == "" {
		return debate.AddEvidence(nil, added)
	}
	d, err := s.adder.AddEvidence(context.WithoutCancel(s.ctx), session, added...)
	return d.Evidence, err
}

// attached puts the ids into the texts.
func (s *Service) attached(msg attachedMsg) screen.Outcome {
	if msg.err != nil {
		return msg.send.Back(msg.err)
	}
	for _, f := range msg.found {
		s.found[f.Path] = f
	}
	texts := slices.Clone(msg.send.Texts)
	if m := msg.send.Mentions; m != nil {
		for i, t := range texts {
			texts[i] = replaceAll(t, m.In(t), func(path string) (string, bool) {
				id, ok := msg.ids[path]
				return id, ok
			})
		}
	}
	return msg.send.Then(texts, msg.all)
}

// Refusal returns why a file was not attached, as a sentence.
func Refusal(err error) string {
	return screen.Sentence(errors.New(text.Line(err.Error())))
}
