package debate

import (
	"cmp"
	"strconv"
	"strings"
)

// diffNames are the names of a file that the lines before its hunks have.
type diffNames struct {
	header   bool   // there is a line with "diff", and nothing yet about what is not shown
	a, b     string // that it names; "" if they cannot be told apart
	minus    string // behind ---
	plus     string // behind +++
	from, to string // of a rename
}

// begin reads what is behind "diff" or "Index:".
func (n *diffNames) begin(rest string) {
	n.header = true
	if names, ok := strings.CutPrefix(rest, "--git "); ok {
		n.a, n.b = gitNames(names)
	} else {
		n.b = rest[strings.LastIndexByte(rest, ' ')+1:]
	}
}

// beginUnshown reads a line such as "Binary files a/x and b/x differ" or "Only in b: x".
func (n *diffNames) beginUnshown(line string) {
	if only, ok := strings.CutPrefix(line, "Only in "); ok {
		n.b = strings.Replace(only, ": ", "/", 1)
		return
	}
	_, both, _ := strings.Cut(strings.TrimSuffix(line, " differ"), "iles ")
	if n.a, n.b, _ = strings.Cut(both, " and "); n.b == "" {
		n.b = both
	}
}

// gitNames returns the two names behind "diff --git". Where blanks make them ambiguous they
// differ in their prefixes alone, or not at all.
func gitNames(rest string) (a, b string) {
	if quoted, err := strconv.QuotedPrefix(rest); err == nil && strings.HasPrefix(rest[len(quoted):], " ") {
		return plainName(quoted), plainName(rest[len(quoted)+1:])
	}
	if at := strings.Index(rest, ` "`); at >= 0 && strings.HasSuffix(rest, `"`) {
		return rest[:at], plainName(rest[at+1:])
	}
	for at := range len(rest) {
		if rest[at] != ' ' {
			continue
		}
		_, left, _ := strings.Cut(rest[:at], "/")
		_, right, _ := strings.Cut(rest[at+1:], "/")
		if rest[:at] == rest[at+1:] || left != "" && left == right {
			return rest[:at], rest[at+1:]
		}
	}
	if at := strings.LastIndex(rest, " b/"); at >= 0 {
		return rest[:at], rest[at+1:]
	}
	return "", rest[strings.LastIndexByte(rest, ' ')+1:]
}

func fileName(rest string) string {
	name, _, _ := strings.Cut(rest, "\t") // a time follows
	return plainName(name)
}

func plainName(name string) string {
	if plain, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		return plain
	}
	return name
}

const noFile = "/dev/null"

// resolve returns the name of the file, and its name before if that was another one.
func (n *diffNames) resolve() (file, was string) {
	if n.from != "" && n.to != "" {
		return n.to, n.from
	}
	old, now := cmp.Or(n.minus, n.a), cmp.Or(n.plus, n.b)
	if old == noFile {
		old = ""
	}
	if now == noFile {
		now = ""
	}
	cut := havePrefixes(old, now)
	if old == "" || now == "" {
		cut = havePrefixes(n.a, n.b) || n.a == "" && (strings.HasPrefix(old, "a/") || strings.HasPrefix(now, "b/"))
	}
	if cut {
		old, now = withoutPrefix(old), withoutPrefix(now)
	}
	if file = cmp.Or(now, old); old != file {
		was = old
	}
	return file, was
}

// havePrefixes reports whether two names begin with folders of git, such as a/ and b/, and not with one.
func havePrefixes(old, now string) bool {
	return len(old) > 2 && len(now) > 2 && old[1] == '/' && now[1] == '/' && old[0] != now[0]
}

func withoutPrefix(name string) string {
	if len(name) > 2 && name[1] == '/' {
		return name[2:]
	}
	return name
}
