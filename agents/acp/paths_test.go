//go:build unix

package acp_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestStreamTurn_asksAboutReadsThatMayLeaveTheFolder(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	g := &ground{folder: workspaceOf(t)}
	var script []string
	attacks := []string{
		`"kind":"read","rawInput":{"path":"~/.ssh/id_rsa"}`,
		`"kind":"read","rawInput":{"path":"~root/x"}`,
		`"kind":"read","rawInput":{"path":"$HOME/.ssh/id_rsa"}`,
		`"kind":"read","rawInput":{"path":"a.txt","target":"${HOME}/x"}`,
		`"kind":"read","rawInput":{"uri":"file:/etc/shadow"}`,
		`"kind":"read","rawInput":{"thing":"FILE:///etc/shadow"}`,
		`"kind":"read","rawInput":{"path":"a.txt","also":{"deep":[{"x":"/etc/shadow"}]}}`,
		`"kind":"read","rawInput":["a.txt","/etc/shadow"]`,
		`"kind":"read","rawInput":{"path":"a.txt","/etc/shadow":true}`,
		`"kind":"read","rawInput":{"path":"a.txt","x":"out/secret"}`,
		`"kind":"read","rawInput":{"path":"sub/../../x"}`,
		`"kind":"read","rawInput":{"path":"%2e%2e/x"}`,
		`"kind":"read","rawInput":{"path":"file://DIR/%2E%2E/x"}`,
		`"kind":"read","rawInput":{"path":"ssh://host/x"}`,
		`"kind":"read","rawInput":{"path":"a:/etc/shadow"}`,
		`"kind":"search","rawInput":{"pattern":"/etc/*"}`,
		`"kind":"search","rawInput":{"pattern":"../**"}`,
		`"kind":"search","rawInput":{"pattern":"~/.ssh/*"}`,
		`"kind":"search","rawInput":{"pattern":"x","glob":"{a.txt,/etc/*}"}`,
		`"kind":"search","rawInput":{"pattern":"x","glob":"../*.go"}`,
		`"kind":"search","rawInput":{"pattern":"x","paths":["DIR","/etc"]}`,
		`"kind":"other","title":"ToolSearch: x","rawInput":{"query":"x","path":"/"}`,
	}
	for i, call := range attacks {
		script = append(script, fmt.Sprintf(`ask {"toolCallId":"p%d","title":"T",%s}`, i, call))
	}
	s := speak(t.Context(), p, ada, turnOf(1), g, script...)
	if s.err != nil || strings.Count(s.all(), "(no)") != len(attacks) || len(g.asked) != len(attacks) {
		t.Errorf("got %q, %v; asked %d of %d:\n%s", s.reply.Text, s.err, len(g.asked), len(attacks), strings.Join(g.asked, "\n"))
	}
}

// TestStreamTurn_allowsOrdinaryReads has reads in the members that each agent uses.
func TestStreamTurn_allowsOrdinaryReads(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	for i, c := range []struct{ agent, file, folder string }{
		{"Claude Code", "file_path", "path"},
		{"Codex", "path", "workdir"},
		{"Gemini CLI", "file_path", "dir_path"},
		{"OpenCode", "filePath", "path"},
		{"Copilot", "path", "paths"},
		{"Qwen Code", "absolute_path", "path"},
	} {
		g := &ground{folder: workspaceOf(t)}
		reads := []string{
			`"kind":"read","rawInput":{"FILE":"DIR/a.txt"}`,
			`"kind":"read","rawInput":{"FILE":"a.txt","offset":1,"limit":20}`,
			`"kind":"read","rawInput":{"FILE":"DIR/not/there.go"},"locations":[{"path":"DIR/not/there.go","line":1}]`,
			`"kind":"read","locations":[{"path":"DIR/a.txt"}]`,
			`"kind":"read","rawInput":{"FOLDER":"DIR"}`,
			`"kind":"read","rawInput":{"FILE":"file://DIR/a.txt","description":"Read the file: it is short"}`,
			`"kind":"search","rawInput":{"pattern":"func .*\\(t|/x/","FOLDER":"DIR","output_mode":"content","-n":true}`,
			`"kind":"search","rawInput":{"pattern":"**/*.{go,md}"}`,
			`"kind":"search","rawInput":{"query":"what ends in ..","include":"*.go"}`,
			`"kind":"search","rawInput":{"pattern":"$1 ~ x","FOLDER":"."}`,
			`"kind":"other","title":"ToolSearch: select:a","rawInput":{"query":"select:a"}`,
		}
		var script []string
		for i, call := range reads {
			call = strings.NewReplacer("FILE", c.file, "FOLDER", c.folder).Replace(call)
			script = append(script, fmt.Sprintf(`ask {"toolCallId":"p%d",%s}`, i, call))
		}
		s := speak(t.Context(), p, ada, turnOf(i+1), g, script...)
		if s.err != nil || strings.Count(s.all(), "(once)") != len(reads) {
			t.Errorf("%s: got %q, %v; asked:\n%s", c.agent, s.reply.Text, s.err, strings.Join(g.asked, "\n"))
		}
	}
}
