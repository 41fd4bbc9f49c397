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

// statementMembers are the member names that a structured part can have.
var statementMembers = []string{"position", "confidence", "stance", "citations", "context_used", "reasoning", "ranking", "scores"}

// HideStructuredPart returns text up to the start of its structured part, or of what may
// become one while the text streams.
func HideStructuredPart(text string) string {
	fences := findFences(text)
	if b, ok := lastJSONBlock(text, fences); ok && b.truncated {
		text = text[:b.start]
	} else if start, ok := openingFence(text); ok && !inCodeBlock(fences, start) {
		text = text[:start]
	}
	return trimJSONBlocks(text, fences)
}

// trimJSONBlocks removes the structured parts at the end of a text. Fences may be those
// of a longer text.
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

// openingFence finds a last line that may become the opening fence of a JSON block.
func openingFence(text string) (start int, ok bool) {
	trimmed := strings.TrimRightFunc(text, unicode.IsSpace)
	start = strings.LastIndexByte(trimmed, '\n') + 1
	line := strings.ToLower(strings.TrimLeft(trimmed[start:], " \t"))
	growing := len(trimmed) == len(text) || line == "```"
	return start, growing && line != "" && strings.HasPrefix("```json", line)
}

// fenceLine is a line that begins with three or more backticks.
type fenceLine struct {
	start    int // offset of the line
	rest     int // offset of what follows the backticks
	language string
	opens    bool
}

// findFences lists the fences of a text. A fence that names a language opens a block
// even if another one is open.
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
			if !strings.Contains(info, "`") { // otherwise it is inline code
				language := strings.ToLower(strings.TrimSpace(info))
				open = language != "" || object || !open
				out = append(out, fenceLine{start, end - len(rest), language, open})
			}
		}
		start = end + 1
	}
	return out
}

// fencesBefore returns the fences that begin before offset n.
func fencesBefore(fences []fenceLine, n int) []fenceLine {
	for len(fences) > 0 && fences[len(fences)-1].start >= n {
		fences = fences[:len(fences)-1]
	}
	return fences
}

// inCodeBlock reports whether a code block is open at offset n.
func inCodeBlock(fences []fenceLine, n int) bool {
	fences = fencesBefore(fences, n)
	return len(fences) > 0 && fences[len(fences)-1].opens
}

// jsonBlock is a JSON object at the end of a text.
type jsonBlock struct {
	start     int                        // offset of its fence, or of its brace if it has none
	members   map[string]json.RawMessage // complete members by their names in lower case
	fenced    bool
	tagged    bool   // the fence names the language json
	complete  bool   // it was read to its closing brace
	truncated bool   // the text ends before the closing brace
	cutMember string // name of the member in which the text ends
}

// structured reports whether the block is the speaker's structured part rather than an
// example.
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
	// Drop the closing fence, even an incomplete one.
	t := strings.TrimRightFunc(text, func(r rune) bool { return r == '`' || unicode.IsSpace(r) })
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

// objectStarts returns where an object without a fence may begin: at the last line that
// begins with a brace, or at the first brace of the last line.
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

// readObject decodes the complete members of an object. It returns false if no object
// begins at s or text follows it.
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
