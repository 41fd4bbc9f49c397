package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/form"
	"roundtable/tui/theme"
)


// sheet is the context form where it lies over the debate, with the pane of the
// agent who asks beside it where there is room.
type sheet struct {
	form  *form.Form
	open  bool
	pane  box
	place box
	asker agents.ID
	held  bool // the debate would have gone on, had the form not been open
	hints bool // in a small terminal: the keys stand where notices do, since a key was pressed after the last one
}

func newSheet(th *theme.Theme) *sheet { return &sheet{form: form.New(th)} }

func (s *sheet) setTheme(th *theme.Theme) { s.form.SetTheme(th) }

// update takes over the newest requests.
func (s *sheet) update(session debate.Session) {
	if s.open {
		s.form.Update(session)
	}
}

// close closes the form; what was typed stays in it.
func (s *sheet) close() { s.open, s.held = false, false }

// deaf reports whether keys are still ignored, since the form opened by itself.
func (s *sheet) deaf(now time.Time) bool { return s.open && s.form.Settling(now) }

// arrange places the form and the pane beside it.
func (s *sheet) arrange(w, h int, b *board) {
	s.pane, s.place = split(w, h)
	s.form.SetSize(s.place.w, s.place.h)
	s.asker = ""
	if id, ok := s.form.Asker(); ok && s.open && s.pane.w > 0 {
		s.asker = id
	}
	for _, p := range b.panes {
		beside := p.Profile().ID == s.asker
		if beside {
			p.SetSize(s.pane.w, s.pane.h)
		}
		p.SetBeside(beside)
	}
}

// unsaved returns the drafts to be stored by now; with all, also those that
// could wait.
func (s *sheet) unsaved(now time.Time, all bool) []draft {
	by := now
	if all {
		by = now.Add(time.Minute)
	}
	var out []draft
	for _, d := range s.form.Dirty(by) {
		d.Draft.At = now
		out = append(out, draft{d.Request, d.Draft})
	}
	return out
}

// openForm opens the context form by the user's key.
func (m *Model) openForm() tea.Cmd {
	m.openSheet(false)
	return nil
}

func noRequests(m *Model) string {
	if len(m.board.session.Requests) == 0 {
		return "Nobody has asked for anything yet."
	}
	return ""
}

// formOpens opens the form by itself: the round is done and something required is open.
// If the user has it open already, nothing moves.
func (m *Model) formOpens() tea.Cmd {
	if b := m.board; b.asking() {
		b.sheet.form.SetRunning(false, b.session.Next())
		return nil
	}
	m.openSheet(true)
	return m.wake()
}

// hold lets the user finish in the form before the next round begins.
func (m *Model) hold() tea.Cmd {
	b := m.board
	b.sheet.held = true
	b.sheet.form.SetRunning(false, b.session.Next())
	return nil
}

// closeForm closes the form. The debate goes on if it was held up by it; an open
// gate alone does not start a round.
func (m *Model) closeForm() tea.Cmd {
	b := m.board
	held := b.sheet.held
	b.sheet.close()
	if !held && b.live == nil && b.session.Status() == debate.Ready {
		b.paused = true
	}
	m.refocus()
	m.arrange()
	if held {
		return m.advance()
	}
	return nil
}

func (m *Model) openSheet(byItself bool) {
	b := m.board
	s := b.session
	last := len(s.History) >= s.Rounds || s.Stopped != debate.NotStopped || b.chair != ""
	amid := b.live != nil || s.Status() == debate.Interrupted
	b.sheet.form.Open(s, form.Options{ByItself: byItself, Now: m.now(), Running: amid && !last, GoesTo: m.goesTo(), Final: last})
	b.sheet.open, b.sheet.hints = true, true
	m.refocus()
	m.arrange()
}

// filter lists all requests of the form, or some.
func (m *Model) filter(f form.Filter) tea.Cmd {
	m.board.sheet.form.SetFilter(f)
	m.arrange()
	return nil
}

// wake draws the form again when it no longer ignores keys.
func (m *Model) wake() tea.Cmd {
	if m.board == nil || !m.board.sheet.deaf(m.now()) {
		return nil
	}
	return m.after(100*time.Millisecond, wakeMsg{})
}

// goesTo names who will read the answers.
func (m *Model) goesTo() string {
	var away, here []string
	s := m.board.session
	for _, p := range s.Seats {
		name, local := p.Provider, p.Provider == debate.DemoProvider
		if m.deps.Company != nil {
			name, local = m.deps.Company(p.Provider)
		}
		name = safetext.Line(name)
		switch {
		case local && !slices.Contains(here, name):
			here = append(here, name)
		case !local && !slices.Contains(away, name):
			away = append(away, name)
		}
	}
	if len(here) > 0 {
		away = append(away, and(here)+" on this machine")
	}
	to := strings.Join(away, ", ")
	if n := len(away) - 1; len(here) > 0 && n > 0 {
		to = strings.Join(away[:n], ", ") + ", and " + away[n]
	}
	return fmt.Sprintf("%s (%s)", to, count(len(s.Seats), "agent", "agents"))
}

// formKey gives the form one of its keys by name.
func (m *Model) formKey(pressed string) tea.Cmd {
	keys := map[string]tea.KeyPressMsg{
		"tab": {Code: tea.KeyTab}, "esc": {Code: tea.KeyEscape}, "ctrl+s": {Code: 's', Mod: tea.ModCtrl},
		"ctrl+x": {Code: 'x', Mod: tea.ModCtrl}, "ctrl+o": {Code: 'o', Mod: tea.ModCtrl},
		"ctrl+_": {Code: '_', Mod: tea.ModCtrl},
	}
	return m.formType(keys[pressed])
}

// formType gives a key to the form and does what it asks for.
func (m *Model) formType(msg tea.KeyPressMsg) tea.Cmd {
	out, cmd := m.board.sheet.form.HandleKey(msg, m.now())
	return tea.Batch(cmd, m.obey(out))
}

func (m *Model) formPaste(text string) tea.Cmd {
	return m.obey(m.board.sheet.form.Paste(tea.PasteMsg{Content: text}, m.now()))
}

// obey does what the form asks for.
func (m *Model) obey(out form.Outcome) tea.Cmd {
	b := m.board
	save := m.saveSoon()
	if id, _ := b.sheet.form.Asker(); id != b.sheet.asker {
		m.arrange()
	}
	switch out := out.(type) {
	case form.Answer:
		return tea.Batch(save, m.answer(out.Submissions, false))
	case form.Release:
		return tea.Batch(save, m.answer(out.Submissions, true))
	case form.EndNow:
		return tea.Batch(save, m.end())
	case form.Close:
		return tea.Batch(save, m.closeForm())
	case form.Editor:
		if why := noEditor(m); why != "" {
			m.tell(plainly, why)
			return save
		}
		return tea.Batch(save, m.edit(out))
	case form.Notice:
		m.tell(plainly, out.Text)
		b.sheet.hints = true // the form says it itself where there is one row for both
	case form.None:
	}
	return save
}

// answered shows what became of submissions; a release starts the next round.
func (m *Model) answered(msg answeredMsg) tea.Cmd {
	b := m.board
	if b == nil || b.session.ID != msg.session {
		return nil
	}
	for _, r := range msg.requests {
		for _, p := range b.panes {
			p.Apply(debate.ContextChanged{Request: r, At: m.now()})
		}
		b.learn(r)
		b.sheet.form.Recorded(r.ID)
	}
	if msg.err != nil {
		b.sheet.form.Refused(msg.err)
		m.refused(msg.err, withAnswers)
		return nil
	}
	m.mended(withAnswers)
	if len(msg.requests) > 0 && len(b.session.Unanswered()) == 0 { // what was waited for has come
		m.notice = m.alarm
	}
	if !msg.release || b.live != nil {
		return nil
	}
	if open := b.session.Unanswered(); len(open) > 0 {
		b.sheet.form.Refused(&debate.BlockedError{Session: b.session.ID, Round: b.session.Next(), Requests: open})
		return nil
	}
	return m.start()
}

// draftEvery is how often typed text is looked at for saving.
const draftEvery = 450 * time.Millisecond

// saveSoon sees to it that typed text is saved in time.
func (m *Model) saveSoon() tea.Cmd {
	if m.saving || m.board == nil || !m.board.sheet.form.Unsaved() {
		return nil
	}
	m.saving = true
	return m.after(draftEvery, saveMsg{})
}

// saveTyped saves the drafts whose time has come.
func (m *Model) saveTyped() tea.Cmd {
	m.saving = false
	if m.board == nil {
		return nil
	}
	var save tea.Cmd
	if drafts := m.board.sheet.unsaved(m.now(), false); len(drafts) > 0 {
		save = m.saveDrafts(drafts)
	}
	return tea.Batch(save, m.saveSoon())
}

// drafted says which drafts are stored.
func (m *Model) drafted(msg draftsMsg) tea.Cmd {
	b := m.board
	if b == nil || b.session.ID != msg.session {
		return nil
	}
	for _, d := range msg.saved {
		b.sheet.form.Saved(d.request)
	}
	if msg.err != nil {
		m.refused(msg.err, withDrafts)
		return nil
	}
	m.mended(withDrafts)
	return nil
}

// pageAsker scrolls the pane beside the form; where there is none, the form.
func (m *Model) pageAsker(direction int) tea.Cmd {
	s := m.board.sheet
	if p := m.board.pane(s.asker); p != nil {
		p.HalfPage(direction)
		return nil
	}
	s.form.Scroll(direction * max(s.place.h/2, 1))
	return nil
}

// formView draws the form and the pane beside it.
func (m *Model) formView() string {
	s := m.board.sheet
	view := s.form.View(m.now())
	if p := m.board.pane(s.asker); p != nil && s.pane.w > 0 {
		left, right := strings.Split(p.View(m.now(), m.spin), "\n"), strings.Split(view, "\n")
		for i := range left {
			left[i] += " " + right[i]
		}
		view = strings.Join(left, "\n")
	} else if s.pane.w > 0 {
		blank := strings.Repeat(" ", s.pane.w+1)
		view = blank + strings.ReplaceAll(view, "\n", "\n"+blank)
	}
	return strings.Repeat("\n", s.place.y-1) + view
}

// formCursor is where the form's text is typed.
func (m *Model) formCursor() *tea.Cursor {
	s := m.board.sheet
	return beside(below(s.form.Cursor(), s.place.y), s.place.x)
}
