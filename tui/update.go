package tui

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// Update handles a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if events, ok := msg.(eventsMsg); !ok || m.isSeen(events) {
		m.drawn = nil
	}
	cmd := m.route(msg)
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, openedMsg:
		cmd = tea.Batch(cmd, m.saveDraftSoon())
	}
	cmd = tea.Batch(cmd, m.spinner.start(m.stack.redrawEvery()))
	if m.stack.top() == screen.Screen(m.home) {
		cmd = tea.Batch(cmd, m.home.Watch())
	}
	return m, cmd
}

// isSeen reports whether events may change what is drawn. Text that a debate in the background
// is sent does not.
func (m *Model) isSeen(msg eventsMsg) bool {
	o := m.sessions.owner(msg.from)
	return msg.closed || o != nil && o == m.stack.open || slices.ContainsFunc(msg.events, func(ev debate.Event) bool {
		_, ok := ev.(debate.Text)
		return !ok
	})
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		look := m.look
		look.Dark = msg.IsDark()
		m.setTheme(look)
	case tea.ColorProfileMsg:
		look := m.look
		look.Profile = msg.Profile
		m.setTheme(look)
	case tea.FocusMsg:
		m.blurred = false
	case tea.BlurMsg:
		m.blurred = true
	case tea.KeyPressMsg:
		return m.pressed(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		return m.click(msg)
	case eventsMsg:
		return m.feed(msg)
	case settledMsg: // the answers of a question are drawn
	case spinMsg:
		if m.stack.open != nil {
			m.stack.open.debate.TimePassed()
		}
		m.spinner.tick(msg)
	default:
		return m.reported(msg)
	}
	return nil
}

func (m *Model) reported(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg:
		return m.opened(msg)
	case screen.Then:
		return m.carryOut(append(msg(), m.welcome()...))
	case screen.ThenIn:
		o := m.sessions.find(func(o *openSession) bool { return o.debate.Controller == msg.Session })
		if o == nil {
			return nil
		}
		out := msg.Then()
		o.sync()
		return tea.Batch(m.carryOutIn(o, out), m.settle(o))
	}
	return nil
}

// pressed handles a key. One that comes too soon for a form that has opened by itself goes
// where it would have gone before, and folds the form if that covers it or moves what it hides.
func (m *Model) pressed(msg tea.KeyPressMsg) tea.Cmd {
	o := m.stack.open
	if !m.stack.onForm() || !o.debate.Form.Leaves(msg.String()) {
		return m.key(msg)
	}
	m.stack.aside = true
	cmd := m.key(msg)
	m.stack.aside = false
	if o != m.stack.open || o.debate.Form.Entered() || !o.debate.Busy() {
		return cmd
	}
	return tea.Batch(cmd, m.carryOutIn(o, o.debate.Form.Close()))
}

func (m *Model) covered() bool {
	return m.question != nil || m.stack.open.prompt != nil ||
		m.stack.base() != m.stack.open.debate.Screen
}

// key gives a key to the question, else to a command, else to the field in focus.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	pressed := msg.String()
	if m.isAccidentalTyping(msg) {
		return nil
	}
	c, ok := m.commands.of(pressed)
	if !ok || c.ID != "notice" {
		m.notices.onKey()
	}
	if screen.TooSmall(m.w, m.h) && pressed != "ctrl+c" {
		return nil
	}
	if m.question != nil && ok && c.ID == "notice" {
		return m.carryOut(m.notices.toggle())
	}
	if m.question != nil && !(m.question.quits && pressed == "ctrl+c") {
		cmd, used := m.reply(msg)
		if used {
			return cmd
		}
	}
	if pressed == "ctrl+c" {
		return m.quit(pressed)
	}
	if c, ok := m.commands.of(pressed); ok {
		if msg.Text != "" && !c.Opens && m.commands.reason(c) != "" {
			m.lastIgnored = m.deps.Now()
		}
		return m.carryOut(m.commands.run(c, pressed))
	}
	if m.commands.freed(pressed) {
		return nil
	}
	if m.stack.prompting() != nil {
		return m.carryOut(m.stack.row().promptKey(msg))
	}
	cmd := m.carryOut(m.stack.top().HandleKey(msg))
	if msg.Text != "" && !m.stack.typing() { // it begins a sentence, or means nothing
		m.lastIgnored = m.deps.Now()
		m.notTyped()
	}
	return cmd
}

func (n *notices) onKey() {
	n.whole = false
	if n.current.Transient || n.failure.Text != "" {
		n.current = n.failure
	}
}

// isAccidentalTyping drops printable keys after one without effect, and after a space that
// ends a word, until a pause: text typed into a screen without a field must not run commands.
// / is accepted, since n without a search asks for it.
func (m *Model) isAccidentalTyping(msg tea.KeyPressMsg) bool {
	now := m.deps.Now()
	if msg.Text == "" || msg.Text == "/" || m.stack.typing() {
		m.lastIgnored, m.lastLetter = time.Time{}, time.Time{}
		return false
	}
	endsWord := msg.Text == " " && now.Sub(m.lastLetter) < screen.Settle && m.stack.showsSession()
	follows := now.Sub(m.lastIgnored) < screen.Settle
	if endsWord && !follows {
		m.notTyped()
	}
	if msg.Text != " " {
		m.lastLetter = now
	}
	if m.lastIgnored = now; endsWord || follows {
		return true
	}
	m.lastIgnored = time.Time{}
	return false
}

func (m *Model) notTyped() {
	if !m.stack.showsSession() {
		return
	}
	does := func(id, key, what string) string {
		if !m.commands.has(id) {
			return ""
		}
		return m.commands.keys.of(key) + what
	}
	words := text.Join(", ", does("tell", "i", " tells a seat"), does("search", "/", " searches"))
	m.tell(screen.Info, "Not typed anywhere: "+cmp.Or(words, "nothing here takes text")+".")
}

// paste gives pasted text to the field in focus, never to commands. On the screens of a debate it
// begins a message to the seats.
func (m *Model) paste(text string) tea.Cmd {
	typing := m.stack.typing()
	if screen.TooSmall(m.w, m.h) || m.question != nil {
		return nil
	}
	var open tea.Cmd
	if !typing && m.stack.showsSession() {
		open = m.carryOut(m.commands.pressUsual("i"))
	}
	if p := m.stack.prompting(); p != nil {
		return tea.Batch(open, m.carryOut(p.paste(text)))
	}
	if !typing {
		m.tell(screen.Info, "Nothing here takes text.")
	}
	return tea.Batch(open, m.carryOut(m.stack.top().Paste(text)))
}

const wheelLines = 3

// wheel scrolls what is under the pointer. It moves no focus and answers no question.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	step := 1
	switch msg.Button {
	case tea.MouseWheelDown:
	case tea.MouseWheelUp:
		step = -1
	default:
		return nil
	}
	if s, ok := m.stack.top().(screen.Scroller); ok && !screen.TooSmall(m.w, m.h) {
		s.Wheel(msg.X, msg.Y-1, step, step*wheelLines)
	}
	return nil
}

func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft || screen.TooSmall(m.w, m.h) || m.question != nil || m.stack.prompting() != nil {
		return nil
	}
	if s, ok := m.stack.top().(screen.Clicker); ok {
		return m.carryOut(s.Click(msg.X, msg.Y-1))
	}
	return nil
}
