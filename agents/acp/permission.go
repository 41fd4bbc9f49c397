package acp

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/internal/text"
)

type verdict int

const (
	deny verdict = iota
	ask
	allow
)

// permits reports whether the agent may make a call. The user is asked if neither the
// kind of the call nor its place decides it.
func (t *turn) permits(ctx context.Context, n sdk.ToolCallUpdate) bool {
	t.calls.mu.Lock()
	c := t.calls.call(n)
	t.calls.mu.Unlock()
	if c == nil || c.ended {
		return false
	}
	switch t.judge(c) {
	case allow:
		return true
	case deny:
		return false
	case ask:
	}
	argv, ok := c.argv()
	if !ok || t.kit == nil {
		return false
	}
	own := c.record(string(n.ToolCallId))
	if c.kindOf() == sdk.ToolKindExecute {
		own.Input, _ = c.input.(map[string]any)
	}
	allowed, _ := t.kit.Approve(ctx, t.id, own, argv) // the protocol has no place for a reason
	return allowed
}

func (t *turn) judge(c *ownCall) verdict {
	if t.ours(c) != "" {
		return allow
	}
	switch c.kindOf() {
	case sdk.ToolKindThink:
		return allow
	case sdk.ToolKindRead, sdk.ToolKindSearch:
		if t.staysInside(c) {
			return allow
		}
		return ask
	case sdk.ToolKindEdit, sdk.ToolKindDelete, sdk.ToolKindMove, sdk.ToolKindSwitchMode:
		return deny
	case sdk.ToolKindExecute:
		if t.folder.ReadOnly {
			return deny
		}
		return ask
	case sdk.ToolKindFetch, sdk.ToolKindOther:
	}
	return ask
}

// staysInside reports whether a call reads only below the folder of the turn. A search
// that names no place is in the working folder; a read that names none may be anywhere.
func (t *turn) staysInside(c *ownCall) bool {
	paths := pathsOf(c.input)
	for _, l := range c.locations {
		paths = append(paths, l.Path)
	}
	if len(paths) == 0 {
		return c.kindOf() == sdk.ToolKindSearch
	}
	root, err := t.folder.Open()
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // it was only read
	for _, p := range paths {
		name, ok := t.below(p)
		if !ok {
			return false
		}
		if _, err := root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) { // a link may lead out
			return false
		}
	}
	return true
}

// below returns a path relative to the folder of the turn, and reports whether its name
// is inside it.
func (t *turn) below(path string) (string, bool) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.folder.Dir, path)
	}
	dirs := []string{t.folder.Dir}
	if real, err := filepath.EvalSymlinks(t.folder.Dir); err == nil { // an agent may tell that one
		dirs = append(dirs, real)
	}
	for _, dir := range dirs {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

// pathsOf returns what an input says about places: the values of its keys that are named
// so, at the top and in lists.
func pathsOf(input any) []string {
	fields, ok := input.(map[string]any)
	if !ok {
		return nil
	}
	var paths []string
	for key, value := range fields {
		key = strings.ToLower(strings.ReplaceAll(key, "_", ""))
		named := false
		for _, word := range []string{"path", "file", "dir", "cwd", "folder", "root", "uri"} {
			named = named || strings.Contains(key, word)
		}
		if !named {
			continue
		}
		switch value := value.(type) {
		case string:
			paths = append(paths, strings.TrimPrefix(value, "file://"))
		case []any:
			for _, one := range value {
				if p, ok := one.(string); ok {
					paths = append(paths, strings.TrimPrefix(p, "file://"))
				}
			}
		}
	}
	return paths
}

// maxAsked bounds what the user is asked about, in bytes: the user reads all of it.
const maxAsked = 8000

// argv returns what the user is asked about, as a command. Anything but the words of a
// command is one word, so that it is no command that could be allowed by its beginning.
func (c *ownCall) argv() (argv []string, ok bool) {
	fields, _ := c.input.(map[string]any)
	if c.kindOf() == sdk.ToolKindExecute {
		switch command := fields["command"].(type) {
		case string:
			if argv, ok = text.SimpleCommand(command); !ok {
				argv = []string{command} // a shell does more with it than to split it
			}
		case []any:
			for _, word := range command {
				s, ok := word.(string)
				if !ok {
					return nil, false
				}
				argv = append(argv, s)
			}
		}
	}
	if len(argv) == 0 || argv[0] == "" {
		input := ""
		if hasContent(c.input) {
			input = text.Sanitize(encoded(c.input))
		}
		argv = []string{string(c.kindOf()) + ": " + strings.TrimSpace(c.title+" "+input)}
	}
	size := 0
	for _, word := range argv {
		if strings.ContainsRune(word, 0) {
			return nil, false
		}
		size += len(word)
	}
	return argv, size <= maxAsked
}
