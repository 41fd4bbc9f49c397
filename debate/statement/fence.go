package statement

import (
	"strings"
	"unicode"
)

// fenceLine is a line that begins with three or more backticks or tildes.
type fenceLine struct {
	start    int    // offset of the line
	content  int    // offset of what follows the fence and its language
	mark     string // of which it consists
	language string
	opens    bool
}

// findFences lists the fences of a text. A fence that names a language opens a block
// even if another one is open.
func findFences(text string) []fenceLine {
	var out []fenceLine
	open := "" // the mark of the block that is open
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		if f, ok := parseFence(text[start:end]); ok && (open == "" || open == f.mark) {
			object := start+f.content < end
			f.opens = f.language != "" || object || open == ""
			f.start, f.content = start, start+f.content
			if open = ""; f.opens {
				open = f.mark
			}
			out = append(out, f)
		}
		start = end + 1
	}
	return out
}

// parseFence reads a line as a fence. Its content is what follows a bracket on the line.
func parseFence(line string) (fenceLine, bool) {
	rest := strings.TrimLeft(line, " \t")
	for _, mark := range []string{"`", "~"} {
		if !strings.HasPrefix(rest, mark+mark+mark) {
			continue
		}
		info := strings.TrimLeft(rest, mark)
		content := len(line)
		if n := strings.IndexAny(info, "{["); n >= 0 {
			content = len(line) - len(info) + n
			info = info[:n]
		}
		language := strings.ToLower(strings.TrimSpace(info))
		return fenceLine{content: content, mark: mark, language: language}, !strings.Contains(info, mark)
	}
	return fenceLine{}, false
}

// growingFence finds a last line that may become the fence of a block.
func growingFence(text string) (start int, ok bool) {
	start = strings.LastIndexByte(text, '\n') + 1
	line := strings.TrimLeftFunc(text[start:], unicode.IsSpace)
	return start, line == "`" || line == "``" || line == "~" || line == "~~"
}
