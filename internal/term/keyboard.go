package term

import (
	"bytes"
	"os"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// keyboard reads the terminal. More than three printable characters in one read are text, not
// keys: they were pasted where pastes are not marked, or typed while nothing was read. They are
// marked as a paste, so that they run no command.
type keyboard struct {
	*os.File
	paste, reply bool // a marked paste, or a reply of the terminal, continues in the next read
}

// mostKeys is how many printable characters in one read are keys. One that repeats is always one.
const mostKeys = 3

// Read reads keys, pastes and replies of the terminal.
func (k *keyboard) Read(p []byte) (int, error) {
	const room = (len(ansi.BracketedPasteStart)+len(ansi.BracketedPasteEnd))/mostKeys + 1
	read := make([]byte, max(len(p)/room, 1))
	n, err := k.File.Read(read)
	return copy(p, k.mark(read[:n])), err
}

// Terminal returns the file, for programs that take over the terminal.
func (k *keyboard) Terminal() *os.File { return k.File }

// mark returns what was read, with its texts as pastes.
func (k *keyboard) mark(read []byte) []byte {
	if at := bytes.LastIndexByte(read, ansi.ESC); at >= 0 {
		last, _, _, state := ansi.DecodeSequence(read[at:], ansi.NormalState, nil)
		k.paste, k.reply = string(last) == ansi.BracketedPasteStart, state != ansi.NormalState
		return read
	}
	if k.paste || k.reply {
		k.reply = false
		return read
	}
	var out []byte
	for len(read) > 0 {
		end := bytes.IndexFunc(read, unicode.IsControl)
		if end < 0 {
			end = len(read)
		}
		out = append(out, asText(read[:end])...)
		next := min(end+1, len(read))
		out = append(out, read[end:next]...)
		read = read[next:]
	}
	return out
}

// asText marks printable characters as a paste if they are a text.
func asText(typed []byte) []byte {
	first, _ := utf8.DecodeRune(typed)
	if utf8.RuneCount(typed) <= mostKeys || len(bytes.Trim(typed, string(first))) == 0 || !utf8.Valid(typed) {
		return typed
	}
	return []byte(ansi.BracketedPasteStart + string(typed) + ansi.BracketedPasteEnd)
}
