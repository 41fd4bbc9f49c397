package acp

import (
	"cmp"
	"context"
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

// permits reports whether the agent may make a call, and why not if a reason is known. The
// user is asked if neither the kind of the call nor its place decides it.
func (t *turn) permits(ctx context.Context, req sdk.RequestPermissionRequest) (allowed bool, reason string) {
	n := req.ToolCall
	t.calls.mu.Lock()
	c := t.calls.call(n)
	if c == nil || c.ended {
		t.calls.mu.Unlock()
		return false, ""
	}
	t.name(c, n)
	t.nameByOptions(c, req)
	c.mine = c.mine || t.ours(c) != ""
	asked := *c // updates may change the call while the user decides
	t.calls.mu.Unlock()
	switch t.judge(&asked) {
	case allow:
		return true, ""
	case deny:
		return false, "agents are not allowed calls of this kind here"
	case ask:
	}
	argv, ok := asked.argv()
	if !ok || t.kit == nil {
		return false, "nobody can be asked about it"
	}
	own := asked.record(string(n.ToolCallId))
	own.Dir = t.folder.Dir
	if asked.kindOf() == sdk.ToolKindExecute {
		own.Input, _ = asked.input.(map[string]any)
	}
	if t.resembles(&asked) {
		argv = []string{"this looks like a tool of the debate, but is not in a form that is known: " + strings.Join(argv, " ")}
	}
	return t.kit.Approve(ctx, t.id, own, argv)
}

// deny ends the record of a call that was denied. The agent hears of it afterwards; Gemini
// CLI and Qwen Code never report the end of such a call.
func (t *turn) deny(id sdk.ToolCallId, reason string) {
	t.denials.denied()
	t.calls.mu.Lock()
	if c := t.calls.known[id]; c != nil {
		c.denied = cmp.Or(reason, "you denied it")
	}
	t.calls.mu.Unlock()
	failed := sdk.ToolCallStatusFailed
	t.take(sdk.SessionUpdate{ToolCallUpdate: &sdk.SessionToolCallUpdate{ToolCallId: id, Status: &failed}})
}

func (t *turn) judge(c *ownCall) verdict {
	if t.ours(c) != "" || c.searchesTools() {
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
		if !t.resembles(c) {
			return deny
		}
	case sdk.ToolKindExecute:
		if t.folder.ReadOnly && !t.resembles(c) {
			return deny
		}
	case sdk.ToolKindFetch, sdk.ToolKindOther:
	}
	return ask
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
