package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/receipt"
	"roundtable/tui/screen"
)

// spinEvery is how long a frame of the spinner lasts.
const spinEvery = 125 * time.Millisecond

// spinMsg turns the spinner.
type spinMsg struct{}

// doneMsg says that something outside is done.
type doneMsg struct {
	text string
	err  error
}

// Update routes a message to the part it is for.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, openedMsg:
		cmd = tea.Batch(cmd, m.lobby.saveDraftSoon())
	}
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
		return releaseTerminal(func() error { return nil })
	case eventsMsg:
		return m.feed(msg)
	case spinMsg:
		return m.spun()
	default:
		return m.reported(msg)
	}
	return nil
}

// reported handles what commands report.
func (m *Model) reported(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg:
		return m.opened(msg)
	case closedMsg:
		return m.closed(msg)
	case receipt.Loaded:
		return m.receiptLoaded(msg)
	case pagerMsg:
		return m.runPager(msg)
	case editedMsg:
		return m.edited(msg)
	case doneMsg:
		if msg.err != nil {
			return m.perform(screen.Tell(screen.Warning, screen.Sentence(msg.err)))
		}
		return m.perform(screen.Tell(screen.Success, msg.text))
	}
	if out, ok := m.lobby.receive(msg); ok {
		return m.perform(out)
	}
	if m.open == nil {
		return nil
	}
	out, ok := m.open.debate.Receive(msg)
	if ok {
		m.open.sync()
	}
	return m.perform(out)
}

// pressed routes a key: to a question, to what lies on top, to a command, to the
// field that has the focus.
func (m *Model) pressed(msg tea.KeyPressMsg) tea.Cmd {
	pressed := msg.String()
	m.notices.onKey()
	if screen.TooSmall(m.w, m.h) && pressed != "ctrl+c" {
		return nil
	}
	if m.question != nil {
		cmd, used := m.reply(pressed)
		if used {
			return cmd
		}
	}
	m.quitting = m.quitting && pressed == "ctrl+c"
	if m.open != nil {
		m.open.debate.Form.ShowKeys(true)
	}
	switch {
	case pressed == "ctrl+c":
		return m.quit()
	case m.palette != nil:
		return m.paletteKey(msg)
	case m.help != nil:
		return m.helpKey(msg)
	case m.onForm() && m.open.debate.Form.Deaf() && pressed != "pgup" && pressed != "pgdown":
		return m.perform(m.open.debate.Form.HandleKey(msg))
	}
	if c, ok := m.command(pressed); ok {
		return m.runCommand(c, pressed)
	}
	if p := m.prompting(); p != nil {
		return m.promptKey(p, msg)
	}
	return m.perform(m.top().HandleKey(msg))
}

// key does what a key does that works everywhere, whoever asks for it.
func (m *Model) key(pressed string) tea.Cmd {
	c, ok := m.command(pressed)
	if !ok {
		return nil
	}
	return m.runCommand(c, pressed)
}

// paste gives pasted text to the field that has the focus, never to commands.
func (m *Model) paste(text string) tea.Cmd {
	switch p := m.prompting(); {
	case screen.TooSmall(m.w, m.h) || m.question != nil || m.help != nil:
		return nil
	case m.palette != nil:
		m.palette.paste(text)
		return nil
	case p != nil:
		p.paste(text)
		return nil
	}
	return m.perform(m.top().Paste(text))
}

// turn keeps the spinner turning while a seat works, and a countdown going while
// one waits for its provider; else nothing is drawn.
func (m *Model) turn() tea.Cmd {
	every := m.redrawEvery()
	if m.spinning || every == 0 {
		return nil
	}
	m.spinning = true
	return screen.After(m.ctx, every, spinMsg{})
}

// redrawEvery returns how often the screen changes by time alone; 0: never.
func (m *Model) redrawEvery() time.Duration {
	if m.open == nil {
		return 0
	}
	return m.open.debate.RedrawEvery(spinEvery)
}

// spun shows the spinner's next frame: at once, or with the text that comes in a
// moment, since a screen drawn for the spinner alone costs as much as any other.
func (m *Model) spun() tea.Cmd {
	m.spinning = false
	if m.redrawEvery() == 0 {
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
