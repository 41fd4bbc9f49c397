package acp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/internal/secret"
)

// staysInside reports whether a call only reads below the folder of the turn: each member of
// its input is one that is known, with a value of its type, and each path leads there, to no
// file of keys or passwords. A read has to name a path, and a search has to say something.
func (t *turn) staysInside(c *ownCall) bool {
	input, isObject := c.input.(map[string]any)
	if !isObject && hasContent(c.input) ||
		slices.ContainsFunc(c.content, func(part sdk.ToolCallContent) bool { return part.Content == nil }) {
		return false
	}
	root, err := t.folder.Open()
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // it was only read
	p := &readPaths{turn: t, root: root}
	for _, l := range c.locations {
		if !p.isInside(l.Path) {
			return false
		}
	}
	for name, value := range input {
		if !p.fits(name, value) {
			return false
		}
	}
	return p.found > 0 || c.kindOf() == sdk.ToolKindSearch && len(input) > 0
}

type readPaths struct {
	turn  *turn
	root  *os.Root
	found int
}

// fits reports whether a member is known, as of 28 November 2026, and its value of its type.
// What a search on the web has is not known, such as "query", nor what runs a command.
func (p *readPaths) fits(name string, value any) bool {
	switch name {
	case "file_path", "filePath", "absolute_path", "path", "dir_path":
		return isText(value, p.isInside)
	case "paths":
		return isText(value, p.isInside) || isList(value, func(one any) bool { return isText(one, p.isInside) })
	case "pattern", "glob", "include", "include_pattern", "exclude_pattern":
		return isText(value, p.keepsInside)
	case "ignore":
		return isList(value, func(one any) bool { return isText(one, p.keepsInside) })
	case "offset", "limit", "start_line", "end_line", "-A", "-B", "-C", "context", "head_limit", "max_matches_per_file",
		"total_max_matches":
		return value == nil || isNumber(value)
	case "view_range":
		return isList(value, isNumber)
	case "output_mode", "type", "pages":
		return value == nil || isText(value, isWord)
	case "file_filtering_options":
		options, ok := value.(map[string]any)
		for name, one := range options {
			ok = ok && isSwitch(name, one)
		}
		return ok
	}
	return isSwitch(name, value)
}

func isSwitch(name string, value any) bool {
	_, isBool := value.(bool)
	return isBool && slices.Contains([]string{
		"-n", "-i", "multiline", "case_sensitive", "names_only", "allow_large", "forceReadLargeFiles", "wait_for_previous",
		"respect_git_ignore", "respect_gemini_ignore", "respect_qwen_ignore",
	}, name)
}

func isText(value any, ok func(string) bool) bool {
	s, isString := value.(string)
	return isString && ok(s)
}

func isList(value any, ok func(any) bool) bool {
	list, isList := value.([]any)
	return isList && !slices.ContainsFunc(list, func(one any) bool { return !ok(one) })
}

func isNumber(value any) bool {
	_, ok := value.(float64)
	return ok
}

// isWord reports whether a string can only be a name or numbers.
func isWord(s string) bool {
	return !strings.HasPrefix(s, "-") && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_+-,", r)
	})
}

// isInside reports whether a path leads below the folder, links followed. What a shell or the
// agent may first expand, decode or trim is not known to.
func (p *readPaths) isInside(s string) bool {
	p.found++
	name, ok := p.turn.below(s)
	name = filepath.ToSlash(name)
	return ok && !hasParent(s) && name == strings.TrimSpace(name) && !strings.HasPrefix(name, "~") && !strings.HasPrefix(name, "@") &&
		!strings.ContainsAny(name, "$%:`\\\"'*?") && !strings.ContainsFunc(name, unicode.IsControl) &&
		!secret.File(name) && !p.leavesBy(name)
}

// leavesBy reports whether a name below the folder leads out of it by a link, or cannot be
// looked up.
func (p *readPaths) leavesBy(name string) bool {
	_, err := p.root.Stat(filepath.FromSlash(name))
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, syscall.ENAMETOOLONG)
}

func hasParent(s string) bool {
	return slices.Contains(strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// keepsInside reports whether a pattern, of names or of text, leads nowhere else when it is
// taken for one of names: with braces and brackets, or without what they add.
func (p *readPaths) keepsInside(s string) bool {
	const meta = `\{}[]()|@!+?^$`
	bare := strings.Map(func(r rune) rune {
		if strings.ContainsRune(meta+",", r) {
			return -1
		}
		return r
	}, s)
	hasPlace := strings.Contains(s, "/") || filepath.Separator != '/' && strings.ContainsRune(s, filepath.Separator)
	if bare == ".." || hasPlace && (strings.Contains(bare, "..") || hasVariable(s)) {
		return false
	}
	for _, part := range append(alternatives(s), bare) {
		if filepath.IsAbs(part) || strings.HasPrefix(part, "~") || strings.HasPrefix(strings.ToLower(part), "file:") {
			return false
		}
	}
	literal, isName := s, true
	if i := strings.IndexAny(s, meta+"*"); i >= 0 {
		literal, isName = s[:strings.LastIndex(s[:i], "/")+1], false
	}
	name, ok := p.turn.below(literal)
	return literal == "" || ok && !p.leavesBy(filepath.ToSlash(name)) && !(isName && secret.File(filepath.ToSlash(name)))
}

func hasVariable(s string) bool {
	for i, r := range s[:max(0, len(s)-1)] {
		if next := rune(s[i+1]); r == '$' && (next == '{' || next == '(' || next == '_' || unicode.IsLetter(next)) {
			return true
		}
	}
	return false
}

// alternatives returns a string and what its braces may begin with.
func alternatives(s string) []string {
	i := strings.Index(s, "{")
	if i < 0 {
		return []string{s}
	}
	return append(strings.FieldsFunc(s[i:], func(r rune) bool { return strings.ContainsRune("{},", r) }), s)
}

// searchesTools reports whether an agent looks through its own list of tools, as Qwen Code
// does before it calls one of a server.
func (c *ownCall) searchesTools() bool {
	fields, _ := c.input.(map[string]any)
	query, ok := fields["query"].(string)
	most, limited := fields["max_results"]
	return ok && c.kindOf() == sdk.ToolKindOther && onlyHas(fields, "query", "max_results") && (!limited || isNumber(most)) &&
		c.title == "ToolSearch: "+query
}
