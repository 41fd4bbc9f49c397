package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// ReadCall returns a call with the name of the offered tool that it names, whatever is around
// that ("functions.look:0"), and with its arguments as one JSON object, if what the model
// wrote is that in a code fence, encoded more than once, or with raw line breaks in its texts.
// What is not stays as it is.
func ReadCall(call ToolCall, offered []ToolSpec) ToolCall {
	spec, ok := offeredTool(call.Name, offered)
	if !ok {
		return call
	}
	call.Name = spec.Name
	if args, ok := readArguments(call.Args); ok {
		call.Args = args
	}
	return call
}

// offeredTool returns the tool that a name means: the one with that name, or the only one that
// is a word of it.
func offeredTool(name string, offered []ToolSpec) (spec ToolSpec, ok bool) {
	name = strings.TrimSpace(name)
	if i := slices.IndexFunc(offered, func(s ToolSpec) bool { return s.Name == name }); i >= 0 {
		return offered[i], true
	}
	words := strings.FieldsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	found := slices.DeleteFunc(slices.Clone(offered), func(s ToolSpec) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return w == s.Name || strings.HasSuffix(w, "__"+s.Name) })
	})
	if len(found) != 1 || strings.ContainsAny(name, " \t\n") {
		return ToolSpec{}, false
	}
	return found[0], true
}

const maxEncoded = 3

func readArguments(raw string) (object string, ok bool) {
	for range maxEncoded {
		raw = escapeControls(withoutFence(strings.TrimSpace(raw)))
		var inner string
		if strings.HasPrefix(raw, "{") && json.Valid([]byte(raw)) {
			return raw, true
		}
		if json.Unmarshal([]byte(raw), &inner) != nil {
			return "", false
		}
		raw = inner
	}
	return "", false
}

func withoutFence(text string) string {
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(inner, "json"), "```"))
}

// escapeControls returns JSON with the control characters in its texts escaped.
func escapeControls(raw string) string {
	var out strings.Builder
	within, escaped := false, false
	for i := range len(raw) {
		c := raw[i]
		if within && c < ' ' {
			fmt.Fprintf(&out, `\u%04x`, c)
			continue
		}
		if c == '"' && !escaped {
			within = !within
		}
		escaped = within && c == '\\' && !escaped
		out.WriteByte(c)
	}
	return out.String()
}
