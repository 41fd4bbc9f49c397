package acp

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/internal/secret"
)

// staysInside reports whether a call reads only below the folder of the turn: each string
// of its input that can be a path leads there, and to no file of keys or passwords. A search
// that names no place is in the working folder; a read that names none may be anywhere.
func (t *turn) staysInside(c *ownCall) bool {
	root, err := t.folder.Open()
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // it was only read
	places := &placesOf{turn: t, root: root, inside: true}
	for _, l := range c.locations {
		places.check(l.Path)
	}
	places.walk("", c.input)
	return places.inside && (places.found > 0 || c.kindOf() == sdk.ToolKindSearch)
}

// placesOf are the paths in the input of a call.
type placesOf struct {
	turn   *turn
	root   *os.Root
	found  int
	inside bool // all that were found are below the folder
}

func (p *placesOf) walk(member string, input any) {
	switch input := input.(type) {
	case string:
		if p.canBePath(member, input) {
			p.check(input)
		}
	case []any:
		for _, one := range input {
			p.walk(member, one)
		}
	case map[string]any:
		for name, one := range input {
			if leadsAway(name) {
				p.check(name)
			}
			p.walk(name, one)
		}
	}
}

// canBePath reports whether a string has to be resolved. A pattern is text unless it
// clearly begins or goes elsewhere.
func (p *placesOf) canBePath(member, s string) bool {
	member = strings.ToLower(strings.ReplaceAll(member, "_", ""))
	switch member {
	case "pattern", "query", "regex":
		return filepath.IsAbs(s) || strings.HasPrefix(s, "~") || strings.HasPrefix(s, "$HOME") || strings.HasPrefix(s, "${HOME") ||
			hasParent(s) && strings.ContainsAny(s, `/\`)
	}
	for _, word := range []string{"path", "file", "dir", "cwd", "folder", "root", "uri"} {
		if strings.Contains(member, word) {
			return s != ""
		}
	}
	if leadsAway(s) {
		return true
	}
	name, ok := p.turn.below(s)
	if !ok {
		return false
	}
	_, err := p.root.Stat(name)
	isName := !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENAMETOOLONG) && !errors.Is(err, syscall.ENOTDIR)
	return isName // also a link that leads out, which is another error
}

// leadsAway reports whether a string has the form of a path that may be outside the
// working folder.
func leadsAway(s string) bool {
	lower := strings.ToLower(s)
	return filepath.IsAbs(s) || strings.HasPrefix(s, "~") || strings.HasPrefix(s, "$") || strings.HasPrefix(lower, "file:") ||
		hasParent(s) || strings.Contains(lower, "%2e") || hasScheme(s) || hasAwayPart(s)
}

// hasScheme reports whether a string begins as a URL, or with the letter of a drive.
func hasScheme(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	isOther := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("+.-", r)
	}
	return ok && rest != "" && strings.ContainsRune(`/\`, rune(rest[0])) && scheme != "" &&
		!strings.ContainsRune("0123456789+.-", rune(scheme[0])) && !strings.ContainsFunc(scheme, isOther)
}

func hasParent(s string) bool {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(`/\{},`, r) }) {
		if part == ".." {
			return true
		}
	}
	return false
}

// hasAwayPart reports whether an alternative of a glob such as {a,/etc/*} begins elsewhere.
func hasAwayPart(s string) bool {
	i := strings.IndexAny(s, "{,")
	if i < 0 {
		return false
	}
	for _, part := range strings.FieldsFunc(s[i:], func(r rune) bool { return strings.ContainsRune("{},", r) }) {
		if filepath.IsAbs(part) || strings.HasPrefix(part, "~") || strings.HasPrefix(part, "$") {
			return true
		}
	}
	return false
}

// check resolves a path. What a shell or the agent would first have to expand is not
// known to be inside.
func (p *placesOf) check(s string) {
	p.found++
	if strings.HasPrefix(strings.ToLower(s), "file:") {
		u, err := url.Parse(s)
		if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" || strings.Contains(s, "%") {
			p.inside = false
			return
		}
		s = u.Path
	}
	name, ok := p.turn.below(s)
	if !ok || strings.HasPrefix(s, "~") || strings.Contains(s, "$") || hasScheme(s) || hasParent(s) || hasAwayPart(s) ||
		strings.Contains(strings.ToLower(s), "%2e") {
		p.inside = false
		return
	}
	if secret.File(filepath.ToSlash(name)) {
		p.inside = false // the user is asked
		return
	}
	if _, err := p.root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) { // a link may lead out
		p.inside = false
	}
}

// searchesTools reports whether an agent looks through its own list of tools, as Qwen Code
// does before it calls one of a server.
func (c *ownCall) searchesTools() bool {
	fields, _ := c.input.(map[string]any)
	query, ok := fields["query"].(string)
	return ok && c.kindOf() == sdk.ToolKindOther && onlyHas(fields, "query", "max_results") && c.title == "ToolSearch: "+query
}
