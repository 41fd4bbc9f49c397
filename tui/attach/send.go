package attach

import (
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
	Session  string    // that the evidence is added to; "": it is only read
	Have     []debate.Evidence

	// Then is called with the texts, in which ids stand for paths, and with the evidence
	// that is new. Evidence that was only read has the ids that it will get in a session
	// without any other.
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
		fresh []debate.Evidence
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

// read returns a command that reads the files and adds them to the session. What the
// session has already is not added again.
func (s *Service) read(send Send, found []Found) tea.Cmd {
	load := func() tea.Msg {
		msg := attachedMsg{send: send, found: slices.Clone(found), ids: map[string]string{}}
		var all []debate.Evidence
		first := make([]int, len(found)) // the evidence that a path is cited by
		for i, f := range found {
			pieces, err := s.files.Read(s.ctx, f.Path)
			if err != nil {
				msg.err = err
				return msg
			}
			msg.found[i].Size = sizeOf(pieces)
			for j, e := range pieces {
				at := slices.IndexFunc(all, func(o debate.Evidence) bool { return same(o, e) })
				if at < 0 {
					at = len(all)
					all = append(all, e)
				}
				if j == 0 {
					first[i] = at
				}
			}
		}
		ids, fresh, err := s.identify(send, all)
		if err != nil {
			msg.err = err
			return msg
		}
		for i, f := range found {
			msg.ids[f.Path] = ids[first[i]]
		}
		msg.fresh = fresh
		return msg
	}
	if send.Session == "" {
		return load
	}
	return s.saves.Add(load)
}

// same reports whether two pieces of evidence are the same text under the same name.
func same(a, b debate.Evidence) bool { return a.SHA256 == b.SHA256 && a.Name == b.Name }

// identify returns the id of each piece of evidence, and the pieces that are new.
func (s *Service) identify(send Send, all []debate.Evidence) (ids []string, fresh []debate.Evidence, err error) {
	ids = make([]string, len(all))
	var at []int // of the new ones
	for i, e := range all {
		if k := slices.IndexFunc(send.Have, func(h debate.Evidence) bool { return same(h, e) }); k >= 0 {
			ids[i] = send.Have[k].ID
			continue
		}
		at, fresh = append(at, i), append(fresh, e)
	}
	if len(fresh) == 0 {
		return ids, nil, nil
	}
	if send.Session != "" {
		if fresh, err = s.adder.AddEvidence(s.ctx, send.Session, fresh); err != nil {
			return nil, nil, err
		}
	}
	for k, i := range at {
		if fresh[k].ID == "" {
			fresh[k].ID = fmt.Sprintf("F%d", k+1)
		}
		ids[i] = fresh[k].ID
	}
	return ids, fresh, nil
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
	return msg.send.Then(texts, msg.fresh)
}

// Refusal returns why a file was not attached, as a sentence.
func Refusal(err error) string {
	return screen.Sentence(errors.New(text.Line(err.Error())))
}
