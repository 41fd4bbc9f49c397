package agents

import (
	"fmt"
	"regexp"
	"strings"
)

// correctWrittenCall tells a model that wrote a tool call into its text how tools
// are called, once in a turn, and lets it answer again. Text is never run.
func (t *conversation) correctWrittenCall(c Completion) {
	name := writtenCall(c.Text, t.tools)
	if t.corrected || name == "" || len(c.Calls) > 0 {
		return
	}
	t.corrected, t.askAgain = true, true
	t.msgs = append(t.msgs, c.Message, Message{Role: User, Text: fmt.Sprintf(
		"You wrote a call of %s as text. Nothing was called: text is never run. "+
			"Call a tool through the tool calls of this interface, with its name and its arguments as one JSON object, "+
			"and not within your answer. If you meant no call, give your whole answer again.", name)})
}

// writtenCallForms are the forms in which models write calls as text. %[1]s is the
// name of the tool.
var writtenCallForms = strings.Join([]string{
	`"(?:name|tool|tool_name|function|recipient_name)"\s*:\s*"(?:functions\.)?%[1]s"`, // JSON, in whatever tags
	`<(?:invoke|function|tool)(?:_call)?[\s=]+(?:name\s*=\s*)?["']?%[1]s\b`,           // <invoke name="x">, <function=x>
	`<%[1]s[\s/>]`, // <x>
	`(?m:^[\s>\x60*-]*(?:functions\.)?%[1]s\s*(?:\(\s*(?:[{"']|\w+\s*[=:])|\{\s*"))`,        // x({...}), x(a=1), x{...}
	`(?:\[TOOL_CALLS\]|<[|｜][^|｜<>]*tool[^|｜<>]*[|｜]>|to=functions\.)\s*[^\n]{0,40}%[1]s\b`, // special tokens of chat templates
}, "|")

// writtenCall returns the name of the offered tool that a text calls, or "".
func writtenCall(text string, offered []ToolSpec) string {
	for _, tool := range offered {
		if !strings.Contains(text, tool.Name) {
			continue
		}
		form, err := regexp.Compile(fmt.Sprintf(writtenCallForms, regexp.QuoteMeta(tool.Name)))
		if err == nil && form.MatchString(text) {
			return tool.Name
		}
	}
	return ""
}
