package debate

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"roundtable/internal/text"
)

// stated are the members that a structured part can have.
var statementMembers = []string{"position", "confidence", "stance", "citations", "context_used", "reasoning", "ranking", "scores"}

// HideStructuredPart returns text up to where its structured part begins, or may be
// about to begin while it streams.
func HideStructuredPart(text string) string {
	fences := findFences(text)
	if b, ok := lastJSONBlock(text, fences); ok && b.truncated {
		text = text[:b.start]
	} else if start, ok := openingFence(text); ok && !inCodeBlock(fences, start) {
		text = text[:start]
	}
	return trimJSONBlocks(text, fences)
}

// trimJSONBlocks returns text up to the first of the structured parts that it
// ends with. Fences may be those of a longer text.
func trimJSONBlocks(text string, fences []fenceLine) string {
	for {
		fences = fencesBefore(fences, len(text))
		b, ok := lastJSONBlock(text, fences)
		if !ok || !b.structured() {
			return text
		}
		text = text[:b.start]
	}
}

// openingFence finds a last line that may become the opening fence of a json block.
func openingFence(text string) (start int, ok bool) {
	trimmed := strings.TrimRightFunc(text, unicode.IsSpace)
	start = strings.LastIndexByte(trimmed, '\n') + 1
	line := strings.ToLower(strings.TrimLeft(trimmed[start:], " \t"))
	growing := len(trimmed) == len(text) || line == "```"
	return start, growing && line != "" && strings.HasPrefix("```json", line)
}

// fenceLine is a line that begins with three backticks or more.
type fenceLine struct {
	start    int // of the line
	rest     int // where what follows the backticks begins
	language string
	opens    bool
}

// findFences lists the fences of a text. One that names a language opens a block
// whatever was left open before it.
func findFences(text string) []fenceLine {
	var out []fenceLine
	open := false
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text[start:end], " \t"), "```"); ok {
			rest = strings.TrimLeft(rest, "`")
			info, _, object := strings.Cut(rest, "{")
			if !strings.Contains(info, "`") { // otherwise it is code within a line
				language := strings.ToLower(strings.TrimSpace(info))
				open = language != "" || object || !open
				out = append(out, fenceLine{start, end - len(rest), language, open})
			}
		}
		start = end + 1
	}
	return out
}

// fencesBefore returns the fences that begin before n.
func fencesBefore(fences []fenceLine, n int) []fenceLine {
	for len(fences) > 0 && fences[len(fences)-1].start >= n {
		fences = fences[:len(fences)-1]
	}
	return fences
}

// inCodeBlock reports whether a block of code is open at n.
func inCodeBlock(fences []fenceLine, n int) bool {
	fences = fencesBefore(fences, n)
	return len(fences) > 0 && fences[len(fences)-1].opens
}

// jsonBlock is a JSON object at the end of a text.
type jsonBlock struct {
	start     int                        // of its fence, or of its brace without one
	members   map[string]json.RawMessage // those that are whole, by their names in lower case
	fenced    bool
	tagged    bool   // the fence says json
	complete  bool   // it is read to its closing brace,
	truncated bool   // or the text ends before that,
	cutMember string // within this member; otherwise it is not JSON
}

// structured reports whether the block is what the speaker stated, and not an example.
func (b jsonBlock) structured() bool {
	if !b.fenced {
		return b.members["position"] != nil
	}
	says := slices.ContainsFunc(statementMembers, func(name string) bool { return b.members[name] != nil })
	return says || !b.complete && (b.truncated || b.tagged)
}

// notes says what of the block could not be read.
func (b jsonBlock) notes() []string {
	switch {
	case b.complete:
		return nil
	case b.cutMember != "":
		return []string{"the structured part was cut off at " + strconv.Quote(text.Head(b.cutMember, maxQuotedLength))}
	default:
		return []string{"the structured part was cut off"}
	}
}

// lastJSONBlock finds the object that a text ends with.
func lastJSONBlock(text string, fences []fenceLine) (jsonBlock, bool) {
	t := strings.TrimRightFunc(text, func(r rune) bool { return r == '`' || unicode.IsSpace(r) }) // without a closing fence, or a part of one
	fences = fencesBefore(fences, len(t))
	if n := len(fences); n > 0 && fences[n-1].opens {
		f := fences[n-1]
		inner := strings.TrimSpace(t[f.rest:])
		if f.language == "json" {
			inner = strings.TrimSpace(inner[len(f.language):])
		} else if f.language != "" {
			return jsonBlock{}, false
		}
		b, ok := readObject(inner)
		b.start, b.fenced, b.tagged = f.start, true, f.language == "json"
		return b, ok
	}
	for _, at := range objectStarts(t) {
		if b, ok := readObject(t[at:]); ok {
			b.start = at
			return b, true
		}
	}
	return jsonBlock{}, false
}

// objectStarts returns where an object without a fence may begin: the last line that
// begins with a brace, or the first brace of the last line.
func objectStarts(t string) []int {
	var out []int
	if at := strings.LastIndex(t, "\n{"); at >= 0 {
		out = append(out, at+1)
	} else if strings.HasPrefix(t, "{") {
		out = append(out, 0)
	}
	line := strings.LastIndexByte(t, '\n') + 1
	if at := strings.IndexByte(t[line:], '{'); at >= 0 {
		out = append(out, line+at)
	}
	return out
}

// readObject decodes as many members as are whole. It is not ok where no object
// begins, or where text follows it.
func readObject(s string) (b jsonBlock, ok bool) {
	rest, is := strings.CutPrefix(s, "{")
	if rest = strings.TrimSpace(rest); !is && s != "" || rest != "" && !strings.ContainsAny(rest[:1], `"}`) {
		return jsonBlock{}, false
	}
	b.members = map[string]json.RawMessage{}
	dec := json.NewDecoder(strings.NewReader(s))
	err := b.read(dec)
	b.complete = err == nil
	b.truncated = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	return b, !b.complete || strings.TrimSpace(s[dec.InputOffset():]) == ""
}

func (b *jsonBlock) read(dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return errors.New("the name of a member is not a string")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			b.cutMember = name
			return err
		}
		b.members[strings.ToLower(name)] = value
	}
	_, err := dec.Token()
	return err
}
