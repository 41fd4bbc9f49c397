//go:build cgo && linux

package world_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/internal/linear"
	"roundtable/tui"
	"roundtable/tui/debateview"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// typed is what somebody types, or a client sends, as a reader. What is written is kept until
// it is read.
type typed struct {
	lines chan string
	rest  []byte
	once  sync.Once
}

func newTyped() *typed { return &typed{lines: make(chan string, 256)} }

func (t *typed) Read(p []byte) (int, error) {
	if len(t.rest) == 0 {
		line, ok := <-t.lines
		if !ok {
			return 0, io.EOF
		}
		t.rest = []byte(line)
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

func (t *typed) end() { t.once.Do(func() { close(t.lines) }) }

// printed is what a program has written.
type printed struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *printed) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *printed) take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.buf.Reset()
	return o.buf.String()
}

// program is a front end that runs by itself until it ends.
type program struct {
	p    *process
	done chan struct{}
	err  error
}

func (g *program) run(do func() error) {
	g.done = make(chan struct{})
	go func() {
		defer close(g.done)
		g.err = do()
	}()
}

// over reports whether the program has ended.
func (g *program) over() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

func (g *program) wait() {
	<-g.done
	if g.err != nil && !g.p.w.disk.Dead() && !g.p.gate.dead() && !errors.Is(g.err, context.Canceled) && !g.p.w.hadFaults &&
		!errors.Is(g.err, debate.ErrLocked) {
		g.p.w.violate("end", "%s ends with an error: %v", g.p.name, g.err)
	}
}

// calm does nothing: another front end leads the debates to their ends.
func (*program) calm() bool { return false }

// playing reports whether something of the process waits at the gate or for time.
func (g *program) busy() bool { return !g.over() }

// open chooses a session to open at the start; "" for none.
func (w *world) chooseSession() string {
	var free []string
	for _, id := range w.sessions {
		if w.locks[id] == nil {
			free = append(free, id)
		}
	}
	if len(free) == 0 {
		return ""
	}
	return free[w.pick(len(free))]
}

// newPlan returns what a new debate of a surface is asked for.
func (w *world) newPlan() debate.Plan {
	return debate.Plan{
		Topic: oneOf(w.choices, "Is it so?", "Should we move?"), Agents: seatNames[:2+w.pick(3)],
		Mode: oneOf(w.choices, "collaborative", "adversarial", "delphi"), Rounds: 1 + w.pick(2),
	}
}

// shows holds that what is written says of a paused session what control says of it.
func (w *world) shows(p *process, id, written string) {
	s, err := p.store.Session(p.ctx, id)
	if err != nil || s.Verdict != nil || w.hadFaults || len(s.Unanswered()) > 0 {
		return
	}
	c := control.New(s, control.Options{Player: p.all.Player, Writer: p.all})
	if f, err := p.store.Focus(p.ctx, id); err == nil {
		c.SetFocus(f)
	}
	c.Pause()
	st := c.Words().State(time.Now())
	squeezed := squeeze(written)
	sentences := slices.Clone(st.Lines[:min(1, len(st.Lines))])
	if st.Open == nil { // else the screen names what to press for each way to go on
		sentences = append(sentences, st.Next)
	}
	for _, sentence := range sentences {
		if sentence != "" && !strings.Contains(squeezed, squeeze(sentence)) {
			w.violate("words", "%s is paused, and the screen of %s does not say %q:\n%s", id, p.name, sentence, written)
		}
	}
}

// squeeze drops all but letters and digits, so that borders and line breaks do not matter.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, ansi.Strip(s))
}

// lineFront is the program line by line.
type lineFront struct {
	program
	in         *typed
	out        *printed
	interrupts chan struct{}
	opened     string
}

func openLines(p *process) frontEnd {
	d := &lineFront{program: program{p: p}, in: newTyped(), out: &printed{}, interrupts: make(chan struct{}, 1)}
	at := linear.Start{Session: p.w.chooseSession()}
	if at.Session == "" {
		at.New, at.Begin = &linear.NewDebate{Plan: p.w.newPlan()}, true
	}
	d.opened = at.Session
	p.w.tell("%s: line by line, opens %q", p.name, at.Session)
	o := linear.Options{
		Author: ledger.ByPerson("line by line"),
		In:     d.in, Out: d.out, Interrupts: d.interrupts, Store: p.all, Player: p.all.Player,
		Setup: lineSetup{p}, Recipients: func(debate.Session) string { return "" },
		Command: func(context.Context, io.Writer, ...string) int { return 2 },
	}
	d.run(func() error { return linear.Run(p.ctx, o, at) })
	return d
}

// lineSetup makes new debates from a plan alone.
type lineSetup struct{ p *process }

func (lineSetup) Set(*debate.Plan, string, string) error { return errors.New("nothing can be set") }

func (s lineSetup) Build(_ context.Context, p debate.Plan) (debate.Session, []string, error) {
	made, err := s.p.builder.Build(p)
	return made, nil, err
}

func (lineSetup) Read(context.Context, string) ([]debate.Evidence, []string, error) {
	return nil, nil, errors.New("there are no files")
}

func (d *lineFront) read() bool {
	written := d.out.take()
	if d.opened != "" && strings.Contains(written, "/help lists the commands.\n") && !d.over() {
		d.p.w.shows(d.p, d.opened, written)
		d.opened = ""
	}
	return false
}

func (d *lineFront) act() {
	w := d.p.w
	if d.over() {
		w.leave(d.p)
		return
	}
	line := oneOf(w.choices, "", "/continue", "About 400.", "/unavailable nobody knows", "/pause", "/end-now", "y", "/retry-seat 1",
		"/answer C1", "/focus What of cost?", "/tell Think of the worst day.", "/tell 2 Think of cost.", "/add-rounds", "/set-budget 5", "/back",
		"/go-on", "/set-budget 0.03", "/cancel-seat 1", "/status", "/help", "/quit", "n", "1", "/ask Why?", "/change-model 1 lab/m-ivy")
	w.tell("%s types %q", d.p.name, line)
	d.in.lines <- line + "\n"
}

func (d *lineFront) close() {
	d.in.end()
	d.p.cancel()
}

func (d *lineFront) kill() { d.in.end() }

// screenFront is the interface, without a terminal.
type screenFront struct {
	program
	model *tui.Model
	prog  *tea.Program
	last  *atomic.Pointer[tea.View]
	at    string
	asked bool
}

// spy keeps what the interface drew last.
type spy struct {
	tea.Model
	last *atomic.Pointer[tea.View]
}

func (s spy) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := s.Model.Update(msg)
	return s, cmd
}

func (s spy) View() tea.View {
	v := s.Model.View()
	s.last.Store(&v)
	return v
}

func openScreen(p *process) frontEnd {
	w := p.w
	d := &screenFront{program: program{p: p}, last: &atomic.Pointer[tea.View]{}, at: w.chooseSession()}
	width, height := 80+20*w.pick(4), 24+8*w.pick(3)
	w.tell("%s: %dx%d, opens %q", p.name, width, height, d.at)
	look := theme.Options{Dark: true, Profile: colorprofile.TrueColor}
	plan := w.newPlan()
	deps := tui.Deps{
		Common: debateview.Common{Player: p.all.Player, Writer: p.all, Now: time.Now}, Sessions: p.all, Receipts: p.store,
		Theme: look, Fixed: true,
		Offer: func(context.Context) (setup.Options, error) {
			o := setup.Options{Panel: "main", Caps: p.cfg.Context.Caps, Fit: p.cfg.Fit()}
			var err error
			o.Modes, err = modes.Builtin()
			for i, id := range seatNames {
				o.Seats = append(o.Seats, setup.SeatOption{Profile: *p.cfg.Agent(agents.ID(id)), Chosen: i < len(plan.Agents)})
			}
			return o, err
		},
		Start: tui.Start{Session: d.at},
	}
	if d.at == "" {
		deps.Start = tui.Start{New: true, Begin: true, Topic: plan.Topic, Mode: plan.Mode, Rounds: plan.Rounds}
	}
	d.model = tui.New(p.ctx, deps)
	d.prog = tea.NewProgram(spy{d.model, d.last}, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(),
		tea.WithoutRenderer(), tea.WithWindowSize(width, height), tea.WithColorProfile(look.Profile))
	d.run(func() error {
		_, err := d.prog.Run()
		p.cancel()
		if drained := d.model.Drain(); !p.gate.dead() {
			err = errors.Join(err, drained)
		}
		return err
	})
	return d
}

// screen is what is on the screen.
func (d *screenFront) screen() string {
	if v := d.last.Load(); v != nil {
		return ansi.Strip(v.Content)
	}
	return ""
}

// read lets the interface gather the events that have come.
func (d *screenFront) read() bool {
	if d.over() {
		return false
	}
	d.p.w.sleep(50 * time.Millisecond)
	if top, _, _ := strings.Cut(d.screen(), "\n"); d.at != "" && !d.asked && d.p.w.holder(d.at) == d.p && strings.Contains(top, " round ") {
		d.asked = true
		d.p.w.shows(d.p, d.at, d.screen())
	}
	return false
}

// act has the user press keys.
func (d *screenFront) act() {
	w := d.p.w
	if d.over() {
		w.leave(d.p)
		return
	}
	keys := oneOf(w.choices, "space", "tab", "enter", "esc", "c", "ctrl+s", "About 400.", "down", "x", "+", "y", "f What of cost?", "n", "j", "e",
		"s", "i Think of cost.", "z", "ctrl+x Nobody knows.", "up", "v", "S", "g", "t", "b 5", "q", "?", "r", "R", "m", "/", ":", "ctrl+p", "1", "2", "esc esc")
	w.tell("%s presses %q", d.p.name, keys)
	first, text, _ := strings.Cut(keys, " ")
	if len(first) > 1 && strings.HasSuffix(keys, ".") && !strings.HasPrefix(first, "ctrl") {
		first, text = "", keys
	}
	if first != "" {
		d.press(first)
	}
	if text == "esc" {
		d.press("esc")
		return
	}
	for _, c := range text {
		d.press(string(c))
	}
	if text != "" && first != "" {
		d.press("enter")
	}
}

func (d *screenFront) press(name string) {
	if d.over() {
		return
	}
	d.prog.Send(keyOf(name))
	d.p.w.sleep(60 * time.Millisecond)
}

// keyOf makes the message of a key.
func keyOf(name string) tea.KeyPressMsg {
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	codes := map[string]rune{"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" || name == " " {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func (d *screenFront) close() { d.prog.Quit() }
func (d *screenFront) kill()  { d.prog.Kill() }

func (d *screenFront) wait() {
	<-d.done
	if errors.Is(d.err, tea.ErrProgramKilled) {
		d.err = nil
	}
	d.program.wait()
}

// assistant is an assistant that calls the MCP server.
type assistant struct {
	program
	in      *typed
	out     *printed
	partial string
	calls   map[int]clientCall // under way, by number
	n       int
}

// clientCall is a call of a tool, or another request.
type clientCall struct{ method, session string }

func openAssistant(p *process) frontEnd {
	d := &assistant{program: program{p: p}, in: newTyped(), out: &printed{}, calls: map[int]clientCall{}}
	p.app.Stdin, p.app.Stdout = d.in, d.out
	d.run(func() error { return p.app.ServeMCP(p.ctx) })
	d.send(clientCall{"initialize", ""}, map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "world", "version": "1"},
	})
	d.in.lines <- `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	return d
}

func (d *assistant) send(call clientCall, params any) {
	d.n++
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": d.n, "method": call.method, "params": params})
	if err != nil {
		panic(err)
	}
	d.calls[d.n] = call
	d.in.lines <- string(raw) + "\n"
}

// read takes in the results of calls. What they begin counts from then on.
func (d *assistant) read() (any bool) {
	d.partial += d.out.take()
	for {
		line, rest, found := strings.Cut(d.partial, "\n")
		if !found {
			return any
		}
		d.partial, any = rest, true
		var answer struct {
			ID     int
			Result struct {
				IsError           bool
				StructuredContent struct{ SessionID string }
			}
			Error *struct{ Message string }
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			d.p.w.violate("protocol", "%v: %s", err, line)
			return any
		}
		if answer.ID == 0 {
			continue
		}
		d.p.w.log("  %s: %s is answered, refused: %t", d.p.name, d.calls[answer.ID].method, answer.Result.IsError || answer.Error != nil)
		d.end(answer.ID)
		if id := answer.Result.StructuredContent.SessionID; id != "" && !d.p.w.disk.Dead() && !slices.Contains(d.p.w.sessions, id) {
			d.p.w.sessions = append(d.p.w.sessions, id)
			slices.Sort(d.p.w.sessions) // two calls that end at once are answered in any order
		}
	}
}

// end notes that a call is answered, or is not any more.
func (d *assistant) end(n int) {
	if call, ok := d.calls[n]; ok && call.session != "" {
		d.p.w.clientDone(call.session)
	}
	delete(d.calls, n)
}

func (d *assistant) wait() {
	d.program.wait()
	for n := range d.calls {
		d.end(n)
	}
}

func (d *assistant) busy() bool { return !d.over() && len(d.calls) > 0 }

// act calls a tool.
func (d *assistant) act() {
	w := d.p.w
	if d.over() || len(d.calls) > 4 {
		return
	}
	tool, arguments, session := "start_roundtable", map[string]any{}, ""
	if len(w.sessions) == 0 || w.pick(6) == 5 && len(w.sessions) < 4 {
		plan := w.newPlan()
		arguments = map[string]any{"topic": plan.Topic, "mode": plan.Mode, "agents": plan.Agents, "rounds": plan.Rounds, "new": true}
	} else {
		session = w.sessions[w.pick(len(w.sessions))]
		arguments["sessionId"] = session
		w.void(session)
		switch tool = oneOf(w.choices, "continue_roundtable", "continue_roundtable", "control_session", "wait_roundtable",
			"synthesize_debate", "ask_roundtable", "get_round_details", "list_sessions"); tool {
		case "continue_roundtable":
			if w.pick(3) > 0 {
				arguments["contextResults"] = []map[string]any{{"request": oneOf(w.choices, "C1", "C2", "C3"), "result": "About 400."}}
			}
			if w.pick(4) == 3 {
				arguments["focusQuestion"] = "What of cost?"
			}
		case "control_session":
			arguments["action"] = oneOf(w.choices, "pause", "resume", "stop", "retry-seat", "add-rounds", "set-budget", "end-after-round")
			arguments["arguments"] = oneOf(w.choices, "", "ada", "1", "30k")
		case "wait_roundtable":
			arguments["seconds"] = 20
		case "ask_roundtable":
			arguments["question"] = "Why?"
		case "list_sessions":
			arguments = map[string]any{}
		}
	}
	w.tell("%s calls %s %v", d.p.name, tool, arguments)
	d.send(clientCall{"tools/call", session}, map[string]any{"name": tool, "arguments": arguments})
}

func (d *assistant) close() { d.in.end() }
func (d *assistant) kill()  { d.in.end() }
