package workspace

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/text"
)

const (
	maxLines = 2000 // of one read
	maxLine  = 4000 // bytes of a line that are shown
)

func readFile(b Bounds) tools.Tool {
	return reading(
		agents.ReadFileName, "Read lines of a text file of the workspace, with their numbers, so that you can cite them. "+
			"One read returns at most 2,000 lines and 64 KB; go on with offset.",
		pathHelp+`"},"offset":{"type":"integer","minimum":1,"default":1,"description":"The first line."},`+
			`"limit":{"type":"integer","minimum":1,"maximum":2000,"default":2000,"description":"The number of lines."}},`+
			`"required":["path"]`,
		b.read,
	)
}

type readArguments struct {
	Path   string
	Offset int
	Limit  int
}

func (b Bounds) read(ctx context.Context, tc tools.Context, root *os.Root, in readArguments) (out tools.Output, err error) {
	defer tc.Work()()
	at, _, err := resolve(root, in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	f, info, err := openReadable(root, at, in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	c := newContent(f, info.Size())
	if c.binary {
		return tools.Output{}, fmt.Errorf("%s is a binary file of %s", quote(in.Path), text.Count(int(info.Size()), "byte"))
	}
	in.Offset, in.Limit = cmp.Or(in.Offset, 1), cmp.Or(in.Limit, maxLines)
	x := excerpt{content: c, arguments: in, room: b.Text}
	if err := x.read(ctx); err != nil {
		return tools.Output{}, reason(in.Path, err)
	}
	if x.hash, err = hashOf(f, info.Size()); err != nil {
		return tools.Output{}, reason(in.Path, err)
	}
	if now, err := f.Stat(); err == nil && (now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime())) {
		c.notes = append(c.notes, "The file changed while it was read.")
	}
	if info.Size() > maxScan {
		c.notes = append(c.notes, fmt.Sprintf("The file has %d bytes; only the first %d are looked at.", info.Size(), maxScan))
	}
	return x.output()
}

// hashOf returns the beginning of the SHA-256 of the first size bytes of a file, in hex.
func hashOf(f io.ReaderAt, size int64) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, io.NewSectionReader(f, 0, min(size, maxScan)))
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}

type excerpt struct {
	content   *content
	arguments readArguments
	room      int    // bytes
	hash      string // of the file

	text  strings.Builder
	total int // lines of the file
	last  int // line that was shown last
	cut   int // lines that are longer than what is shown of them
}

func (x *excerpt) read(ctx context.Context) error {
	full := false
	for {
		line, length, err := x.content.line(maxLine)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		x.total++
		if full || x.total < x.arguments.Offset || x.total >= x.arguments.Offset+x.arguments.Limit {
			continue
		}
		s := fmt.Sprintf("%6d\t%s", x.total, legible(string(line)))
		if length > len(line) {
			s += fmt.Sprintf(" [cut: the line has %d bytes]", length)
		}
		if full = x.text.Len()+len(s)+1 > x.room; full {
			continue
		}
		if length > len(line) {
			x.cut++
		}
		x.text.WriteString(s + "\n")
		x.last = x.total
	}
}

func (x *excerpt) output() (tools.Output, error) {
	name, from := quote(x.arguments.Path), x.arguments.Offset
	switch {
	case x.total == 0:
		return tools.Output{Text: name + " is empty.", Summary: "empty"}, nil
	case x.last == 0:
		return tools.Output{}, fmt.Errorf("%s has %s; offset %d is past its end", name, text.Count(x.total, "line"), from)
	}
	notes := x.content.notes
	if x.content.invalid {
		notes = append(notes, "Bytes that are not UTF-8 are shown as \ufffd.")
	}
	if x.cut > 0 {
		notes = append(notes, fmt.Sprintf("Of %s only the first %d bytes are shown.", text.Count(x.cut, "line"), maxLine))
	}
	if x.last < x.total {
		notes = append(notes, fmt.Sprintf("Go on with offset %d.", x.last+1))
	}
	summary := fmt.Sprintf("lines %d-%d of %d", from, x.last, x.total)
	notes = append(notes, "SHA-256 "+x.hash+".") // which citations of these lines are bound to
	heading := strings.Join(append([]string{name + ", " + summary + "."}, notes...), " ")
	return tools.Output{Text: heading + "\n" + x.text.String(), Summary: summary}, nil
}

const (
	sniffed = 8 << 10  // bytes that tell text from binary files
	maxScan = 64 << 20 // bytes of a file that are looked at
)

type content struct {
	r       *bufio.Reader
	binary  bool
	notes   []string // how the text differs from the file
	invalid bool     // some line was not UTF-8
	buffer  []byte   // of the line that was read last
}

// newContent returns the content of a file of the given size. Bytes
// that are appended later are not read.
func newContent(f *os.File, size int64) *content {
	c := &content{r: bufio.NewReaderSize(io.LimitReader(f, min(size, maxScan)), sniffed)}
	head, err := c.r.Peek(sniffed)
	if err != nil && len(head) == 0 {
		return c // the next read returns the error
	}
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}):
		c.binary = true
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		c.r = bufio.NewReaderSize(unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(c.r), sniffed)
		c.notes = append(c.notes, "Converted from UTF-16.")
	case bytes.HasPrefix(head, []byte("\ufeff")):
		c.r.Discard(len("\ufeff")) //nolint:errcheck // it was peeked at
	case bytes.IndexByte(head, 0) >= 0, bytes.HasPrefix(head, []byte("%PDF-")):
		c.binary = true
	}
	return c
}

// line returns the next line without its end, cut to the given number of bytes, and its
// length. It returns io.EOF when no line is left. The bytes are valid until the next call.
func (c *content) line(most int) (line []byte, length int, err error) {
	c.buffer = c.buffer[:0]
	for more := true; more; {
		var part []byte
		part, more, err = c.r.ReadLine()
		if err == io.EOF && length > 0 {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		length += len(part)
		c.buffer = append(c.buffer, part[:min(len(part), most-len(c.buffer))]...)
	}
	if line = c.buffer; length > most {
		for len(line) > 0 && !utf8.RuneStart(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		if r, n := utf8.DecodeLastRune(line); r == utf8.RuneError && n == 1 {
			line = line[:len(line)-1] // the first byte of a character that was cut
		}
	}
	c.invalid = c.invalid || !utf8.Valid(line)
	return line, length, nil
}

// legible returns text in which every byte that is not UTF-8, and every control but tab
// and line feed, is a visible character. It has as many characters as before.
func legible(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return legibleRune(r) != r || r == utf8.RuneError }) < 0 {
		return s
	}
	return strings.Map(legibleRune, s)
}

func legibleRune(r rune) rune {
	switch {
	case r == '\t' || r == '\n':
		return r
	case r < ' ':
		return '\u2400' + r // the symbols of controls
	case r == 0x7f:
		return '\u2421'
	case r < 0xa0 && r > 0x7f, isBidi(r):
		return utf8.RuneError
	}
	return r
}

// isBidi reports whether a character reorders others, which lets code look like other
// code.
func isBidi(r rune) bool {
	return r == '\u061c' || r == '\u200e' || r == '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
