package store

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
)

// A request is stored as the parts that its JSON consists of: pieces of the JSON
// itself, and between them the texts of messages, unquoted and divided where
// later requests are likely to differ. Reading joins them to the same bytes,
// wherever they were divided.

// part is a row of the table parts without its id.
type part struct {
	kind  partKind
	title string // of a titled part
	text  string
}

type partKind int

const (
	partJSON      partKind = iota // JSON as it stands, between the texts of messages
	partTitled                    // the beginning of an agents.Part
	partContinued                 // text that continues the part before
)

// A prompt marks the lines around foreign text with a token that differs from
// turn to turn. Parts have markPlaceholder in its place, so that they do not.
var fenceMark = regexp.MustCompile(`(?m)^([0-9a-f]{12}) `)

const markPlaceholder = "\x1a"

// findMark returns the mark of a request's texts, or "" if it cannot be replaced.
func findMark(messages []agents.Message) string {
	mark := ""
	for _, m := range messages {
		if strings.Contains(m.Text, markPlaceholder) {
			return ""
		}
		if found := fenceMark.FindStringSubmatch(m.Text); mark == "" && found != nil {
			mark = found[1]
		}
	}
	return mark
}

// splitRequest divides the JSON of a request into parts.
func splitRequest(raw []byte, messages []agents.Message, mark string) ([]part, error) {
	var out []part
	rest := string(raw)
	for _, m := range messages {
		if !utf8.ValidString(m.Text) { // its JSON is not the JSON of what would be read back
			continue
		}
		quoted, err := json.Marshal(m.Text)
		if err != nil {
			return nil, err
		}
		const field = `"content":`
		i := strings.Index(rest, field+string(quoted))
		if i < 0 {
			return nil, errors.New("the JSON of a request has not the texts of its messages")
		}
		i += len(field)
		out = append(out, part{text: rest[:i]})
		out = append(out, splitMessage(m, mark)...)
		rest = rest[i+len(quoted):]
	}
	return append(out, part{text: rest}), nil
}

// splitMessage divides the text of a message.
func splitMessage(m agents.Message, mark string) []part {
	text := func(s string) string {
		if mark == "" {
			return s
		}
		return strings.ReplaceAll(s, mark, markPlaceholder)
	}
	untitled := slices.ContainsFunc(m.Parts, func(p agents.Part) bool { return p.Title == "" })
	if len(m.Parts) == 0 || untitled || agents.JoinParts(m.Parts) != m.Text {
		return splitText(nil, partContinued, "", text(m.Text))
	}
	var out []part
	for _, p := range m.Parts {
		out = splitText(out, partTitled, p.Title, text(p.Text))
	}
	return out
}

// minPart is the least size of a part, in bytes, for dividing a text after a paragraph.
const minPart = 512

// splitText appends the parts of a text: marked lines stand alone, since what is
// between them comes again under other labels, and long texts are divided after
// paragraphs. The first part has the kind and the title.
func splitText(out []part, kind partKind, title, text string) []part {
	first := len(out)
	add := func(s string) {
		out = append(out, part{kind: partContinued, text: s})
	}
	begin := 0
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		switch {
		case strings.HasPrefix(text[at:], markPlaceholder):
			if begin < at {
				add(text[begin:at])
			}
			add(text[at:end])
			begin = end
		case end-at == 1 && end-begin >= minPart: // an empty line
			add(text[begin:end])
			begin = end
		}
		at = end
	}
	if begin < len(text) || len(out) == first {
		add(text[begin:])
	}
	out[first].kind, out[first].title = kind, title
	return out
}

// joinRequest returns the JSON of a request, and for each text in it the titled
// parts that it consists of, nil for a text without titles.
func joinRequest(parts []part, mark string) (raw []byte, texts [][]agents.Part, err error) {
	for len(parts) > 0 {
		if parts[0].kind == partJSON {
			raw, parts = append(raw, parts[0].text...), parts[1:]
			continue
		}
		n := slices.IndexFunc(parts, func(p part) bool { return p.kind == partJSON })
		if n < 0 {
			n = len(parts)
		}
		text, titled := joinText(parts[:n], mark)
		quoted, err := json.Marshal(agents.JoinParts(text))
		if err != nil {
			return nil, nil, err
		}
		if !titled {
			text = nil
		}
		raw, texts, parts = append(raw, quoted...), append(texts, text), parts[n:]
	}
	return raw, texts, nil
}

// joinText joins the parts of one text and reports whether they have titles.
func joinText(parts []part, mark string) (out []agents.Part, titled bool) {
	var b strings.Builder
	for i, p := range parts {
		if mark != "" {
			p.text = strings.ReplaceAll(p.text, markPlaceholder, mark)
		}
		b.WriteString(p.text)
		if p.kind == partTitled || i == 0 {
			out = append(out, agents.Part{Title: p.title})
			titled = titled || p.kind == partTitled
		}
		if i+1 == len(parts) || parts[i+1].kind == partTitled {
			out[len(out)-1].Text = b.String()
			b.Reset()
		}
	}
	return out, titled
}
