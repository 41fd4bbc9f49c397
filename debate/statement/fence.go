package statement

import (
	"slices"
	"strings"
	"unicode"
)

// fenceLine is a line that begins with three or more backticks or tildes.
type fenceLine struct {
	start    int    // offset of the line
	content  int    // offset of what follows the fence and its language
	mark     string // "`" or "~"
	size     int    // how often the mark is repeated; 0 for no fence
	language string
	opens    bool
}

// fences are the fence lines of a text that may grow.
type fences struct {
	list   []fenceLine
	at     int  // up to where lines were looked at
	inLine bool // it is within a line that is no fence
}

// read reads the fences of a text, or to a last line that may become one, and returns where that is.
func (l *fences) read(text string, grows bool) (end int) {
	for l.at < len(text) {
		line, _, ended := strings.Cut(text[l.at:], "\n")
		if !l.inLine {
			f, ok := parseFence(line)
			f.start, f.content = l.at, l.at+f.content
			object := f.content < l.at+len(line)
			if start := strings.TrimSpace(line); grows && !ended {
				switch grown := strings.Trim(start, "`") != "" && strings.Trim(start, "~") != ""; {
				case start == "":
					return len(text)
				case !grown || ok && !object:
					return l.at
				}
			}
			if ok {
				l.add(f, object)
			}
		}
		l.at = min(len(text), l.at+len(line)+1)
		l.inLine = !ended
	}
	return len(text)
}

// add adds a fence, if it is not code in a block of another mark or of more marks. One that names a
// language opens a block even if another one is open.
func (l *fences) add(f fenceLine, object bool) {
	last, _ := l.around(f.start)
	if last.opens && (last.mark != f.mark || last.size > f.size) {
		return
	}
	f.opens = f.language != "" || object || !last.opens
	l.list = append(l.list, f)
}

func (l *fences) around(at int) (last, next fenceLine) {
	n, _ := slices.BinarySearchFunc(l.list, at+1, func(f fenceLine, at int) int { return f.start - at })
	if n > 0 {
		last = l.list[n-1]
	}
	if n < len(l.list) {
		next = l.list[n]
	}
	return last, next
}

// parseFence reads a line as a fence. Its content is what follows a bracket on the line.
func parseFence(line string) (fenceLine, bool) {
	rest := strings.TrimLeftFunc(line, unicode.IsSpace)
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return fenceLine{}, false
	}
	mark := rest[:1]
	info := strings.TrimLeft(rest, mark)
	f := fenceLine{content: len(line), mark: mark, size: len(rest) - len(info)}
	if n := strings.IndexAny(info, "{["); n >= 0 {
		f.content += n - len(info)
		info = info[:n]
	}
	f.language = strings.ToLower(strings.TrimSpace(info))
	return f, !strings.Contains(info, mark)
}
