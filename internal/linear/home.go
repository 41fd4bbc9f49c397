package linear

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// maxListed is how many debates are listed at once.
const maxListed = 20

// home lists the debates and opens those that the user chooses.
func (p *Program) home(ctx context.Context) error {
	listed, err := p.list(ctx, "")
	for err == nil {
		var said string
		if said, err = p.ask(ctx, "Open a debate by its number or id, or type new, list, find WORDS or quit.", ""); err != nil {
			return err
		}
		word, rest, _ := strings.Cut(strings.TrimPrefix(said, "/"), " ")
		switch word {
		case "":
			continue
		case "new", "n":
			err = p.newDebate(ctx, NewDebate{Topic: strings.TrimSpace(rest)}, false)
		case "list", "find":
			listed, err = p.list(ctx, rest)
			continue
		case "help":
			continue
		case "quit", "q":
			return errQuit
		default:
			err = p.openListed(ctx, listed, said)
		}
		if errors.Is(err, errQuit) {
			return err
		}
		if leaving := p.leave(); leaving != nil {
			return errors.Join(err, leaving)
		}
		if err != nil && !errors.Is(err, errBack) && !errors.Is(err, errCancelled) {
			p.say("! %s", sentence(err))
			err = nil
			continue
		}
		listed, err = p.list(ctx, "")
	}
	return err
}

// openListed opens the session that a number of the list or an id names.
func (p *Program) openListed(ctx context.Context, listed []debate.SessionSummary, said string) error {
	if n, err := strconv.Atoi(said); err == nil && n >= 1 && n <= len(listed) {
		return p.enter(ctx, listed[n-1].ID)
	}
	return p.enter(ctx, said)
}

// list writes the debates whose names have all of the words, the last changed first.
func (p *Program) list(ctx context.Context, words string) ([]debate.SessionSummary, error) {
	all, err := p.Store.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var found []debate.SessionSummary
	for _, s := range all {
		if matches(s, words) {
			found = append(found, s)
		}
	}
	switch {
	case len(all) == 0:
		p.say("No debates yet. new starts one.")
	case len(found) == 0:
		p.say("Nothing matches %q. list lists all.", text.Label(words))
	}
	for i, s := range found[:min(len(found), maxListed)] {
		state := s.State().Word()
		if s.State() == debate.StateWaiting {
			state += fmt.Sprintf(", %d required", s.Required)
		}
		p.say("%d. %s, %s, round %d of %d, %s, %s", i+1, text.Line(s.Name()), state, s.Round, s.Rounds,
			s.Updated.Local().Format("2006-01-02 15:04"), s.ID)
	}
	if more := len(found) - maxListed; more > 0 {
		p.say("%d more; find WORDS finds them.", more)
	}
	return found, nil
}

// matches reports whether a session's name or id has all of the words.
func matches(s debate.SessionSummary, words string) bool {
	in := text.Fold(s.Name() + " " + s.Topic + " " + s.ID)
	for _, w := range strings.Fields(text.Fold(words)) {
		if !strings.Contains(in, w) {
			return false
		}
	}
	return true
}
