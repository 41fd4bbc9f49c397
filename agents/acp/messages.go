package acp

import (
	"slices"
	"strings"
)

// Notice is a line that an agent says of its own, as a message among those of its model.
type Notice struct {
	Line    string // its beginning
	Version string // of the agent that said it
}

type notices []Notice

const maxNotice = 1000 // bytes

func (n notices) isNotice(message string) bool {
	message = strings.TrimSpace(message)
	return !strings.Contains(message, "\n") && len(message) <= maxNotice &&
		slices.ContainsFunc(n, func(one Notice) bool { return strings.HasPrefix(message, one.Line) })
}

// begins reports whether a message that begins with these words may be a notice.
func (n notices) begins(words string) bool {
	words = strings.TrimSpace(words)
	return n.isNotice(words) || slices.ContainsFunc(n, func(one Notice) bool { return strings.HasPrefix(one.Line, words) })
}

// messages joins the messages of a turn by blank lines, and leaves out the notices. It
// holds back what may be one until the message ends. Agents that send no ids have one
// message.
type messages struct {
	lines   notices
	id      string // of the current message
	held    string // all of it, while it may be a notice
	free    bool   // the current message is no notice
	said    string // id of the message that was passed on last
	notices []string
}

func (m *messages) add(id, words string) string {
	if words == "" {
		return ""
	}
	before := ""
	if id != m.id {
		before = m.end(true)
		m.id, m.free = id, false
	}
	m.held += words
	if m.free = m.free || !m.lines.begins(m.held); !m.free {
		return before
	}
	return before + m.release()
}

// end returns what is held of the current message. It leaves out a notice if there can be
// one, which is when another message follows or a call was denied.
func (m *messages) end(canBeNotice bool) string {
	if canBeNotice && !m.free && m.lines.isNotice(m.held) {
		m.notices = append(m.notices, strings.TrimSpace(m.held))
		m.held = ""
	}
	return m.release()
}

func (m *messages) release() string {
	words := m.held
	m.held = ""
	if words == "" || m.id == "" {
		return words
	}
	if m.said != "" && m.said != m.id {
		words = "\n\n" + words
	}
	m.said = m.id
	return words
}
