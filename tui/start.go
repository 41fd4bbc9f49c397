package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/picker"
)


// typingPause is how long a query has to be still before it is searched for.
const typingPause = 150 * time.Millisecond

// sessions shows the list that was read.
func (m *Model) sessions(msg sessionsMsg) tea.Cmd {
	if msg.err != nil {
		m.tell(badly, "Cannot read the sessions: "+sentence(msg.err))
		return nil
	}
	m.home.Load(msg.list)
	first := !m.listed
	m.listed = true
	if first {
		return m.welcome(len(msg.list) == 0)
	}
	return nil
}

// offers shows what a new debate can be made of.
func (m *Model) offers(msg offerMsg) tea.Cmd {
	if msg.err != nil {
		m.tell(badly, sentence(msg.err))
	}
	m.offer = msg.offer
	m.first.Load(msg.offer)
	m.fresh.Load(msg.offer)
	again := m.offered
	m.offered = true
	switch {
	case again && m.screen == atFirst && !msg.offer.FirstStart:
		m.screen = atNew
		m.tell(gladly, fmt.Sprintf("%s: this panel can debate.", count(msg.offer.Ready(), "model was found", "models were found")))
		return nil
	case again && m.screen == atFirst && msg.err == nil:
		m.tell(plainly, "No model was found. The list says where.")
		return nil
	case again:
		return nil
	case m.deps.Start.New && m.deps.Start.Begin && msg.err == nil:
		return m.begin()
	}
	return m.welcome(m.home.Empty())
}

// welcome leads somebody without any debate to the first one, once it is known
// that there is none and what could play it.
func (m *Model) welcome(none bool) tea.Cmd {
	if !none || !m.listed || !m.offered || m.screen != atHome || m.board != nil || m.deps.Start != (Start{}) {
		return nil
	}
	m.screen = atNew
	if m.offer.FirstStart {
		m.screen = atFirst
	}
	m.tellOfDraft()
	return nil
}

// move moves the cursor of a list.
func (m *Model) move(n int) tea.Cmd {
	switch m.screen {
	case atHome:
		m.home.Move(n)
	case atFirst:
		m.first.Move(n)
	case atLog:
		m.board.log.move(n)
	case atReceipt:
		m.board.receipt.move(n)
	}
	return nil
}

func (m *Model) movePage(n int) tea.Cmd {
	if m.screen == atLog {
		m.board.log.move(n * m.h / 3)
		return nil
	}
	m.home.Page(n)
	return nil
}

// enterHome opens the row under the cursor.
func (m *Model) enterHome() tea.Cmd {
	s, ok := m.home.Selected()
	if !ok {
		return m.newDebate()
	}
	if m.running() && m.board.session.ID != s.ID {
		return m.ask(m.stopText(), "enter opens the other session · esc stays", map[string]func(*Model) tea.Cmd{
			"enter": func(m *Model) tea.Cmd { return m.open(s.ID) },
		})
	}
	return m.open(s.ID)
}

// newDebate shows the form of a new debate, as it was left.
func (m *Model) newDebate() tea.Cmd {
	m.screen = atNew
	m.tellOfDraft()
	return nil
}

func (m *Model) searchHome() tea.Cmd {
	m.home.Search()
	return nil
}

func (m *Model) rename() tea.Cmd {
	m.home.Rename()
	return nil
}

func noSession(m *Model) string {
	s, ok := m.home.Selected()
	switch {
	case !ok:
		return "No session is selected."
	case m.board != nil && m.board.session.ID == s.ID:
		return "This session is open. q leaves it first."
	}
	return ""
}

// remove hides a session, which can be undone until the program ends.
func (m *Model) remove() tea.Cmd {
	s, _ := m.home.Selected()
	lib := m.deps.Library
	return m.change(listedMsg{notice: deletion(s), deleted: s}, func(ctx context.Context) error { return lib.Delete(ctx, s.ID) })
}

// deletion says what was deleted and how it comes back.
func deletion(s debate.SessionSummary) notice {
	text := "Deleted " + safetext.Line(s.Name())
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return notice{text: text, keys: "u brings it back, until you quit.", past: true}
}

func (m *Model) undo() tea.Cmd {
	last := len(m.deleted) - 1
	s, lib := m.deleted[last], m.deps.Library
	m.deleted = m.deleted[:last]
	m.home.Select(s.ID)
	return m.change(listedMsg{notice: notice{text: "Brought back.", past: true}, undone: s}, func(ctx context.Context) error { return lib.Undelete(ctx, s.ID) })
}

func noUndo(m *Model) string {
	if len(m.deleted) == 0 {
		return "Nothing was deleted."
	}
	return ""
}

// changedList follows a change of the list.
func (m *Model) changedList(msg listedMsg) tea.Cmd {
	if msg.err != nil {
		if msg.undone.ID != "" {
			m.deleted = append(m.deleted, msg.undone)
		}
		m.tell(badly, sentence(msg.err))
		return m.readSessions()
	}
	if msg.deleted.ID != "" {
		m.deleted = append(m.deleted, msg.deleted)
	}
	m.announce(msg.notice)
	return m.readSessions()
}

// homeKey types into the search or into a name.
func (m *Model) homeKey(msg tea.KeyPressMsg) tea.Cmd {
	act, cmd := m.home.HandleKey(msg, m.now())
	return tea.Batch(cmd, m.acted(act))
}

func (m *Model) acted(act picker.Act) tea.Cmd {
	switch act {
	case picker.Opened:
		return m.enterHome()
	case picker.Searched:
		return m.after(typingPause, searchMsg{m.home.Query()})
	case picker.Renamed:
		id, name := m.home.Renaming()
		m.home.Back(m.now())
		lib := m.deps.Library
		return m.change(listedMsg{notice: notice{text: "Renamed.", past: true}}, func(ctx context.Context) error { return lib.Rename(ctx, id, name) })
	case picker.Nothing:
	}
	return nil
}

// searched looks for a query that has been still for a moment.
func (m *Model) searched(msg searchMsg) tea.Cmd {
	if msg.query == "" || msg.query != m.home.Query() {
		return nil
	}
	return m.find(msg.query)
}

func (m *Model) found(msg foundMsg) tea.Cmd {
	if msg.err != nil {
		m.tell(badly, "Cannot search: "+sentence(msg.err))
		return nil
	}
	m.home.Found(msg.query, msg.hits, msg.took, m.now())
	return nil
}

// choose does what the row of the first start says.
func (m *Model) choose() tea.Cmd {
	switch m.first.Choice() {
	case picker.LookAgain:
		return m.lookAgain()
	case picker.WriteConfig:
		if why := noConfig(m); why != "" {
			m.tell(plainly, why)
			return nil
		}
		return m.writeConfig()
	case picker.StartDemo:
	}
	if m.deps.ReadOnly != "" {
		m.tell(badly, "No debate can begin: "+m.deps.ReadOnly+".")
		return nil
	}
	return m.startDemo()
}

// startDemo plays the demo: from the form on what was typed there, else on its own
// question.
func (m *Model) startDemo() tea.Cmd {
	s := m.offer.Demo
	if topic := m.fresh.Topic(); topic != "" && m.screen == atNew {
		s.Topic = topic
	}
	return m.embark(s, "enter begins the demo · esc stays")
}

func noDemo(m *Model) string {
	if len(m.offer.Demo.Seats) == 0 {
		return "Models are still being looked for."
	}
	return ""
}

func (m *Model) lookAgain() tea.Cmd {
	m.tell(plainly, "Looking for models"+m.th.Symbols.Cut)
	return m.readOffer()
}

func (m *Model) writeConfig() tea.Cmd {
	ctx, write := m.ctx, m.deps.WriteConfig
	return func() tea.Msg {
		path, err := write(ctx)
		return listedMsg{notice: notice{text: "Wrote " + path + ".", keys: "Change it, then start Roundtable again.", tone: gladly, past: true}, err: err}
	}
}

func canWriteConfig(deps Deps) bool { return deps.WriteConfig != nil }

func noConfig(m *Model) string {
	if m.deps.WriteConfig == nil {
		return "`roundtable config init` writes a config file."
	}
	return ""
}

func (m *Model) field(n int) tea.Cmd {
	m.fresh.Next(n)
	return nil
}

func (m *Model) moveField(n int) tea.Cmd {
	m.fresh.Move(n)
	return nil
}

func (m *Model) changeField(n int) tea.Cmd {
	m.fresh.Change(n)
	return nil
}

func (m *Model) toggleSeat() tea.Cmd {
	if err := m.fresh.Toggle(); err != nil {
		m.tell(urgently, sentence(err))
	}
	return nil
}

// enterField goes to the next field, and on the last row begins.
func (m *Model) enterField() tea.Cmd {
	if m.fresh.Ready() {
		return m.key("ctrl+s")
	}
	m.fresh.Next(1)
	return nil
}

// begin makes the debate as it is filled in.
func (m *Model) begin() tea.Cmd {
	fill, keys := m.fresh.Session, "enter begins the new one · esc stays"
	if m.fresh.OnlyDemo() {
		fill, keys = func() (debate.Session, error) { return m.fresh.Scripted(m.offer.Demo) }, "enter begins the demo · esc stays"
	}
	s, err := fill()
	if err != nil {
		m.tell(urgently, sentence(err))
		return nil
	}
	return m.embark(s, keys)
}

// embark makes a debate. While a round of another one runs it asks first.
func (m *Model) embark(s debate.Session, keys string) tea.Cmd {
	if !m.running() {
		return m.create(s)
	}
	return m.ask(m.stopText(), keys, map[string]func(*Model) tea.Cmd{
		"enter": func(m *Model) tea.Cmd { return m.create(s) },
	})
}
