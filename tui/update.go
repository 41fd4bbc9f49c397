package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
)


// spinEvery is how long a frame of the spinner lasts.
const spinEvery = 125 * time.Millisecond

// Update routes a message to the part it is for.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, openedMsg:
		cmd = tea.Batch(cmd, m.keepSoon())
	}
	m.enable()
	return m, cmd
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
	case Suspend:
		return m.key("ctrl+z")
	case Resume:
		return m.aside(func() error { return nil })
	case eventsMsg:
		return m.feed(msg)
	case spinMsg:
		return m.spun()
	default:
		return m.reported(msg)
	}
	return nil
}

// reported takes what commands report.
func (m *Model) reported(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionsMsg:
		return m.sessions(msg)
	case offerMsg:
		return m.offers(msg)
	case searchMsg:
		return m.searched(msg)
	case foundMsg:
		return m.found(msg)
	case openedMsg:
		return m.opened(msg)
	case closedMsg:
		return m.closed(msg)
	case listedMsg:
		return m.changedList(msg)
	case answeredMsg:
		return m.answered(msg)
	case draftsMsg:
		return m.drafted(msg)
	case saveMsg:
		return m.saveTyped()
	case keptNewMsg:
		return m.newFound(msg)
	case keepNewMsg:
		return m.keepNew()
	case newKeptMsg:
		return m.newKept(msg)
	case wakeMsg:
		return m.wake()
	case changedMsg:
		return m.changed(msg)
	case focusMsg:
		return m.focused(msg)
	case remarkMsg:
		return m.remarked(msg)
	case receiptMsg:
		return m.showReceipt(msg)
	case pagedMsg:
		return m.paged(msg)
	case editedMsg:
		return m.edited(msg)
	case doneMsg:
		if msg.err != nil {
			m.tell(urgently, sentence(msg.err))
			return nil
		}
		m.tell(gladly, msg.text)
	}
	return nil
}

// pressed routes a key: to a question, to what lies on top, to the field that
// has the focus, to a command.
func (m *Model) pressed(msg tea.KeyPressMsg) tea.Cmd {
	pressed := msg.String()
	m.seen()
	if tooSmall(m.w, m.h) && pressed != "ctrl+c" {
		return nil
	}
	if m.question != nil {
		cmd, used := m.reply(pressed)
		if used {
			return cmd
		}
	}
	m.quitting = m.quitting && pressed == "ctrl+c"
	if m.board != nil {
		m.board.sheet.hints = true
	}
	switch {
	case pressed == "ctrl+c":
		return m.quit()
	case m.palette != nil:
		return m.paletteKey(msg)
	case m.help != nil:
		return m.helpKey(msg)
	}
	if m.place() == atForm && m.board.sheet.deaf(m.now()) && !slices.Contains([]string{"pgup", "pgdown"}, pressed) {
		return m.formType(msg)
	}
	if c, ok := m.command(pressed); ok {
		return m.perform(c, pressed)
	}
	return m.typed(msg)
}

// typed gives a key that is no command to the field that has the focus.
func (m *Model) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch m.place() {
	case atHome:
		if m.home.Typing() {
			return m.homeKey(msg)
		}
	case atNew:
		_, cmd := m.fresh.HandleKey(msg)
		return cmd
	case atForm:
		return m.formType(msg)
	case atLog:
		if m.board.log.typing {
			return m.board.log.key(msg)
		}
	case atDebate, atVerdict:
		switch {
		case m.board.prompt != nil:
			return m.promptKey(msg)
		case m.board.finder.on:
			return m.findKey(msg)
		}
	}
	return nil
}

// paste gives pasted text to the field that has the focus, never to commands.
func (m *Model) paste(text string) tea.Cmd {
	switch {
	case tooSmall(m.w, m.h) || m.question != nil || m.help != nil:
	case m.palette != nil:
		m.palette.field.SetValue(m.palette.field.Value() + safetext.Line(text))
	case m.place() == atHome:
		act, cmd := m.home.Paste(text, m.now())
		return tea.Batch(cmd, m.acted(act))
	case m.place() == atNew:
		return m.fresh.Paste(text)
	case m.place() == atForm:
		return m.formPaste(text)
	case m.place() == atLog && m.board.log.typing:
		m.board.log.field.SetValue(m.board.log.field.Value() + safetext.Line(text))
	case m.screen&atSession != 0 && m.board.prompt != nil:
		m.board.prompt.paste(text)
	case m.screen&atSession != 0 && m.board.finder.on:
		m.board.finder.field.SetValue(m.board.finder.field.Value() + safetext.Line(text))
	}
	return nil
}

// turn keeps the spinner turning while a seat works, and a countdown going while
// one waits for its provider; else nothing is drawn.
func (m *Model) turn() tea.Cmd {
	every := m.pulse()
	if m.spinning || every == 0 {
		return nil
	}
	m.spinning = true
	return m.after(every, spinMsg{})
}

// spun shows the spinner's next frame: at once, or with the text that comes in a
// moment, since a screen drawn for the spinner alone costs as much as any other.
func (m *Model) spun() tea.Cmd {
	m.spinning = false
	if m.pulse() == 0 {
		return nil
	}
	if !m.turning && m.now().Sub(m.fed) < 2*frame {
		m.turning = true
	} else {
		m.turning = false
		m.spin++
	}
	return m.turn()
}

// pulse returns how often the screen changes by time alone; 0: never.
func (m *Model) pulse() time.Duration {
	if !m.running() {
		return 0
	}
	if m.board.chair != "" || m.board.aide != "" {
		return spinEvery
	}
	var every time.Duration
	for _, p := range m.board.panes {
		switch {
		case p.State().Works():
			return spinEvery
		case waits(p):
			every = time.Second
		}
	}
	return every
}
