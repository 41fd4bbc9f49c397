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
		`"kind":"read","rawInput":{"path":"a.txt","also":{"deep":[{"x":"/etc/shadow"}]}}`,
		`"kind":"read","rawInput":{"path":"a.txt","/etc/shadow":true}`,
		`"kind":"read","rawInput":{"path":"sub/../../x"}`,
		`"kind":"read","rawInput":{"path":"%2e%2e/x"}`,
		`"kind":"read","rawInput":{"path":"a:/etc/shadow"}`,
		`"kind":"search","rawInput":{"pattern":"/etc/*"}`,
		`"kind":"search","rawInput":{"pattern":"../**"}`,
		`"kind":"search","rawInput":{"pattern":"~/.ssh/*"}`,
		`"kind":"search","rawInput":{"pattern":"x","glob":"{a.txt,/etc/*}"}`,
		`"kind":"search","rawInput":{"pattern":"x","paths":["DIR","/etc"]}`,
		`"kind":"other","title":"ToolSearch: x","rawInput":{"query":"x","path":"/"}`,
		`"kind":"other","title":"ToolSearch: x","rawInput":{"query":"x","max_results":"/"}`,
		// Members that are not known, and values of another type.
		`"kind":"read","rawInput":{"path":"a.txt","command":"cat a.txt"}`,
		`"kind":"read","rawInput":{"path":"a.txt","Path":"a.txt"}`,
		`"kind":"read","rawInput":{"path":"a.txt","offset":"1; rm x"}`,
		`"kind":"read","rawInput":{"path":true},"locations":[{"path":"a.txt"}]`,
		`"kind":"read","rawInput":["a.txt"],"locations":[{"path":"a.txt"}]`,
		`"kind":"read","rawInput":{"path":"a.txt"},"content":[{"type":"diff","path":"a.txt","newText":"x"}]`,
		`"kind":"read","rawInput":{"path":"a.txt"},"locations":[{"path":"/etc/shadow"}]`,
		`"kind":"read","rawInput":{"pattern":"a.txt"}`,
		`"kind":"search","rawInput":{"pattern":"x","-n":1}`,
		`"kind":"search","rawInput":{"pattern":"x","type":"--pre=sh"}`,
		`"kind":"search","rawInput":{"pattern":"x","ignore":"*.md"}`,
		`"kind":"search","rawInput":{"pattern":"x","file_filtering_options":{"path":"/"}}`,
		`"kind":"search"`, // of what is not said
		`"kind":"search","title":"Search the web","rawInput":{"query":"x"}`, // as Gemini CLI does with google_web_search
		// Paths and patterns that something else may be read from.
		`"kind":"read","rawInput":{"path":" /etc/shadow"}`,
		`"kind":"read","rawInput":{"path":"/etc/shadow\n"}`,
		`"kind":"read","rawInput":{"path":"DIR/a.txt "}`,
		`"kind":"read","rawInput":{"path":"\"/etc/shadow\""}`,
		`"kind":"read","rawInput":{"path":"@/etc/shadow"}`,
		`"kind":"read","rawInput":{"path":"..\\..\\x"}`,
		`"kind":"read","rawInput":{"path":"file://DIR/a.txt"}`,
		`"kind":"read","rawInput":{"path":""}`,
		`"kind":"read","rawInput":{"path":"out"}`,
		`"kind":"read","rawInput":{"path":".env"}`,
		`"kind":"search","rawInput":{"pattern":"x","paths":"/etc"}`,
		`"kind":"search","rawInput":{"pattern":"x","glob":".env"}`,
		`"kind":"search","rawInput":{"pattern":"{.,}./x"}`,
		`"kind":"search","rawInput":{"pattern":"[.][.]/x"}`,
		`"kind":"search","rawInput":{"pattern":"@(..)/x"}`,
		`"kind":"search","rawInput":{"pattern":"\\.\\./x"}`,
		`"kind":"search","rawInput":{"pattern":"out/*"}`,
		`"kind":"search","rawInput":{"pattern":"$HOME/*"}`,
		`"kind":"search","rawInput":{"pattern":".."}`,
	}
	for i, call := range attacks {
		script = append(script, fmt.Sprintf(`ask {"toolCallId":"p%d","title":"T",%s}`, i, call))
	}
	s := speak(t.Context(), p, ada, turnOf(1), g, script...)
	if s.err != nil || strings.Count(s.all(), "(no)") != len(attacks) || len(g.asked) != len(attacks) {
		t.Errorf("got %q, %v; asked %d of %d:\n%s", s.reply.Text, s.err, len(g.asked), len(attacks), strings.Join(g.asked, "\n"))
	}
}

// TestStreamTurn_allowsOrdinaryReads has the reads and searches that each agent offered its
// model on 28 November 2026, and those of the sessions recorded before.
func TestStreamTurn_allowsOrdinaryReads(t *testing.T) {
	t.Parallel()
	p := newProvider(t, configOf(t, ""), optionsOf(t))
	both := []string{ // of all that tell what is read by locations, too
		`"kind":"read","locations":[{"path":"DIR/a.txt","line":1}]`,
		`"kind":"search","rawInput":{"pattern":"**/*.{go,md}"}`,
		`"kind":"search","rawInput":{"pattern":"func .*\\(t|/x/"}`,
		`"kind":"search","rawInput":{"pattern":"$1 ~ x{1,3}"}`,
		`"kind":"search","rawInput":{"pattern":"sub/a.txt"}`,
	}
	for i, c := range []struct {
		agent string
		reads []string
	}{
		{"Claude Code", []string{
			`"kind":"read","rawInput":{"file_path":"DIR/a.txt"}`,
			`"kind":"read","rawInput":{"file_path":"DIR/not/there (1).go","offset":1,"limit":20},"locations":[{"path":"DIR/not/there (1).go"}]`,
			`"kind":"read","rawInput":{"file_path":"DIR/a.pdf","pages":"1-5,7","allow_large":true}`,
			`"kind":"search","rawInput":{"pattern":"log.*Error","path":"DIR","glob":"*.{ts,tsx}","output_mode":"content","-n":true,"-i":false,` +
				`"-A":1,"-B":2,"-C":3,"context":3,"type":"ts","head_limit":9,"multiline":true}`,
			`"kind":"search","rawInput":{"path":"DIR","ignore":["*.md","dist/**"]}`,
		}},
		{"Codex", []string{`"kind":"read","rawInput":{"path":"DIR/a.png"}`}},
		{"Gemini CLI", []string{
			`"kind":"read","rawInput":{"file_path":"a.txt","start_line":1,"end_line":2,"wait_for_previous":true}`,
			`"kind":"read","rawInput":{"absolute_path":"DIR/a.txt","offset":1}`,
			`"kind":"search","rawInput":{"dir_path":"DIR","ignore":[],"file_filtering_options":{"respect_git_ignore":true,"respect_gemini_ignore":false}}`,
			`"kind":"search","rawInput":{"pattern":"x","dir_path":".","include_pattern":"*.go","exclude_pattern":"_test","names_only":true,` +
				`"max_matches_per_file":2,"total_max_matches":20}`,
			`"kind":"search","rawInput":{"pattern":"*","dir_path":"DIR","case_sensitive":false,"respect_git_ignore":true,"respect_gemini_ignore":true}`,
		}},
		{"OpenCode", []string{
			`"kind":"read","rawInput":{"filePath":"DIR/a.txt","offset":0,"limit":2000}`,
			`"kind":"search","rawInput":{"pattern":"x","path":"DIR","include":"*.{go,mod}"}`,
		}},
		{"Copilot", []string{
			`"kind":"read","rawInput":{"path":"DIR/a.txt","view_range":[1,-1],"forceReadLargeFiles":false}`,
			`"kind":"search","rawInput":{"pattern":"x","paths":"DIR","output_mode":"files_with_matches"}`,
			`"kind":"search","rawInput":{"pattern":"*.go","paths":["DIR","."]}`,
		}},
		{"Qwen Code", []string{
			`"kind":"read","rawInput":{"file_path":"DIR/a.txt","offset":null,"limit":null,"pages":null}`,
			`"kind":"search","rawInput":{"pattern":"x","glob":"*.go","path":"DIR","limit":10}`,
			`"kind":"other","title":"ToolSearch: select:a","rawInput":{"query":"select:a","max_results":5}`,
		}},
	} {
		g := &ground{folder: workspaceOf(t)}
		var script []string
		for i, call := range append(c.reads, both...) {
			script = append(script, fmt.Sprintf(`ask {"toolCallId":"p%d",%s}`, i, call))
		}
		s := speak(t.Context(), p, ada, turnOf(i+1), g, script...)
		if s.err != nil || strings.Count(s.all(), "(once)") != len(script) {
			t.Errorf("%s: got %q, %v; asked:\n%s", c.agent, s.reply.Text, s.err, strings.Join(g.asked, "\n"))
		}
	}
}
