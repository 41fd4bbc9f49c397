//go:build unix

package acp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/internal/testing/must"
)

// moments are what a scripted agent sends at the moments of a session: "start" before it
// reads anything, and before and after its answer to a method. It is one thread: while it
// sends it reads nothing.
type moments map[string]around

type around struct{ Before, After []sent }

// sent is a line that is sent a number of times, with the session in place of SESSION and
// another number each time in place of NUMBER.
type sent struct {
	Line  string
	Times int
}

// wireAgent plays the script of a test. A line "await" reads until all of its requests are
// answered.
type wireAgent struct {
	script  moments
	in      *bufio.Scanner
	out     *bufio.Writer
	session int
	number  int
	asked   int // requests that are not answered
	later   []string
}

func runWireAgent() {
	a := &wireAgent{in: bufio.NewScanner(os.Stdin), out: bufio.NewWriter(os.Stdout)}
	a.in.Buffer(nil, 64<<20)
	if err := json.Unmarshal([]byte(os.Getenv("WIRE")), &a.script); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	a.send(a.script["start"].Before)
	for {
		line, ok := a.next()
		if !ok {
			return
		}
		a.answer(line)
	}
}

func (a *wireAgent) next() (string, bool) {
	if len(a.later) > 0 {
		line := a.later[0]
		a.later = a.later[1:]
		return line, true
	}
	ok := a.in.Scan()
	return a.in.Text(), ok
}

func (a *wireAgent) answer(line string) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal([]byte(line), &m) != nil || len(m.ID) == 0 {
		return
	}
	if m.Method == "" {
		a.asked--
		return
	}
	const option = `{"id":"m","name":"Model","type":"select","category":"model","currentValue":%q,"options":[{"name":"S","value":"small"},` +
		`{"name":"L","value":"large"}]}`
	result := "{}"
	switch m.Method {
	case "initialize":
		result = `{"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"http":true},"sessionCapabilities":{"close":{}}}}`
	case "session/new":
		a.session++
		result = fmt.Sprintf(`{"sessionId":"w%d","configOptions":[%s]}`, a.session, fmt.Sprintf(option, "small"))
	case "session/set_config_option":
		result = fmt.Sprintf(`{"configOptions":[%s]}`, fmt.Sprintf(option, "large"))
	case "session/prompt":
		result = `{"stopReason":"end_turn"}`
	}
	a.send(a.script[m.Method].Before)
	fmt.Fprintf(a.out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	a.out.Flush()
	a.send(a.script[m.Method].After)
}

func (a *wireAgent) send(all []sent) {
	for _, s := range all {
		if s.Line == "await" {
			a.await()
			continue
		}
		for range max(s.Times, 1) {
			a.number++
			line := strings.NewReplacer("SESSION", fmt.Sprintf("w%d", a.session), "NUMBER", fmt.Sprint(a.number)).Replace(s.Line)
			if strings.Contains(line, `"method"`) && strings.Contains(line, `"id"`) {
				a.asked++
			}
			fmt.Fprintf(a.out, `{"jsonrpc":"2.0",%s}`+"\n", line)
		}
		a.out.Flush()
	}
}

func (a *wireAgent) await() {
	for a.asked > 0 {
		if !a.in.Scan() {
			os.Exit(2)
		}
		var m struct{ Method string }
		if line := a.in.Text(); json.Unmarshal([]byte(line), &m) == nil && m.Method != "" {
			a.later = append(a.later, line)
		} else {
			a.answer(line)
		}
	}
}

const (
	updateLine = `"method":"session/update","params":{"sessionId":"SESSION","update":`
	heardLine  = updateLine + `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Early."}}}`
	doneLine   = updateLine + `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done."}}}`
	listsLine  = updateLine + `{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"x","description":"y"}]}}`
	newerLine  = updateLine + `{"sessionUpdate":"of_a_newer_version","x":1}}`
	callsLine  = updateLine + `{"sessionUpdate":"tool_call","toolCallId":"NUMBER","title":"T","kind":"think"}}`
	optionLine = updateLine + `{"sessionUpdate":"config_option_update","configOptions":[]}}`
	strayLine  = `"method":"session/update","params":{"sessionId":"another","update":{"sessionUpdate":"agent_message_chunk","content":` +
		`{"type":"text","text":"Stray."}}}`
	extraLine = `"method":"_vendor/told","params":{"sessionId":"SESSION"}`
	readLine  = `"id":"rNUMBER","method":"fs/read_text_file","params":{"sessionId":"SESSION","path":"a.txt"}`
	twinLine  = `"id":"r","method":"fs/read_text_file","params":{"sessionId":"SESSION","path":"a.txt"}`
	otherLine = `"id":NUMBER.5,"method":"_vendor/asks","params":{}`
	permLine  = `"id":"pNUMBER","method":"session/request_permission","params":{"sessionId":"SESSION","toolCall":{"toolCallId":"NUMBER",` +
		`"kind":"read","rawInput":{"path":"a.txt"}},"options":[{"kind":"allow_once","name":"Yes","optionId":"y"}]}`
	answerLine = `"id":NUMBER99,"result":{"sessionId":"x"}`
	cancelLine = `"method":"$/cancel_request","params":{"requestId":"rNUMBER"}`
)

// An agent may send anything at any moment, and its seat speaks all the same.
func TestStreamTurn_readsOnWhateverIsSent(t *testing.T) {
	t.Parallel()
	const many = 1100 // more than the pipes between the two hold
	for kind, line := range map[string]string{
		"commands": listsLine, "a newer kind": newerLine, "options": optionLine, "text": heardLine, "calls": callsLine,
		"another session": strayLine, "of a vendor": extraLine, "reads": readLine, "reads of one id": twinLine, "asks of a vendor": otherLine,
		"permissions": permLine, "answers to nothing": answerLine, "cancelled requests": cancelLine,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			flood, want := []sent{{line, many}, {"await", 1}}, "Done."
			m := moments{"start": {Before: flood}}
			for _, method := range []string{"initialize", "session/new", "session/set_config_option", "session/close"} {
				m[method] = around{Before: flood, After: flood}
			}
			m["session/prompt"] = around{Before: append(slices.Clone(flood), sent{doneLine, 1})}
			if line == heardLine { // what is said while the prompt is on its way may be of the turn
				m["session/set_config_option"] = around{Before: flood}
				want = strings.Repeat("Early.", many) + want
			}
			script := must.Get(json.Marshal(m))(t)
			config := configOf(t, "wire")
			config.Set["WIRE"], config.Start, config.First, config.Silent = string(script), 20*time.Second, 20*time.Second, 20*time.Second
			o := optionsOf(t)
			o.AfterFunc = func(d time.Duration, f func()) func() bool {
				if d == toolsWait { // it never takes our tools
					d = 0
				}
				return time.AfterFunc(d, f).Stop
			}
			p := newProvider(t, config, o)
			who := ada
			who.Model = "large"
			for n := range 2 {
				s := speak(t.Context(), p, who, turnOf(n+1), &ground{folder: workspaceOf(t)}, "Speak.")
				if s.err != nil || s.reply.Text != want {
					t.Fatalf("turn %d: %.100q, %v", n+1, s.reply.Text, s.err)
				}
			}
		})
	}
}
