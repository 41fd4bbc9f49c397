package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/process"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

type seat struct {
	provider *Provider
	busy     chan struct{} // has an element while a turn is under way

	endedOnDenial agents.Turn // whose last attempt did so, without its number; of the turn that is under way

	life     context.Context
	end      context.CancelFunc
	stopping sync.WaitGroup // what close waits for

	mu      sync.Mutex
	current *agent // nil: not started
}

func newSeat(p *Provider) *seat {
	s := &seat{provider: p, busy: make(chan struct{}, 1)}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

func (s *seat) acquire(ctx context.Context) error {
	select {
	case s.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.life.Done():
		return errClosed
	}
}

func (s *seat) release() { <-s.busy }

// prepare returns the agent, which may still be starting. An agent that has ended is
// started again, and so is one that trusts any folder, where trust is false.
func (s *seat) prepare(trust bool) *agent {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.current; a != nil && (a.trusts && !trust || a.hasEnded()) {
		s.stopping.Go(a.stop)
		s.current = nil
	}
	if s.current == nil {
		s.current = s.start(trust && len(s.provider.config.Trust) > 0)
	}
	return s.current
}

// begin calls use with the agent when it is ready. If the program or use fails and another
// try can help, the program is started once more. What has waited for its whole time does
// not wait again.
func (s *seat) begin(ctx context.Context, trust bool, use func(*agent) error) error {
	for again := false; ; again = true {
		a := s.prepare(trust)
		err := a.await(ctx)
		if err == nil {
			err = use(a)
		}
		var f *agents.Failure
		if !errors.As(err, &f) {
			return err
		}
		retry := f.Kind == agents.KindTruncated || f.Kind == agents.KindMalformed || f.Kind == agents.KindRequest
		if retry || f.Kind == agents.KindSilence || a.failure != nil {
			s.drop(a)
		}
		if again || !retry || ctx.Err() != nil {
			return err
		}
	}
}

func (s *seat) drop(a *agent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == a {
		s.current = nil
	}
	s.stopping.Go(a.stop)
}

func (s *seat) close() {
	s.end()
	s.mu.Lock()
	a := s.current
	s.mu.Unlock()
	if a != nil {
		a.stop()
	}
	s.stopping.Wait()
}

type agent struct {
	seat   *seat
	trusts bool            // it was started with Config.Trust
	life   context.Context // ends when it is stopped
	end    context.CancelFunc

	ready   chan struct{}    // closed when it may be used or has failed; what follows is valid then
	program *process.Process // nil: it could not be started
	lines   *lineReader
	conn    *sdk.Connection
	hello   sdk.InitializeResponse
	failure *agents.Failure // why it cannot be used

	turn atomic.Pointer[turn] // the current one
}

// readAfterEnd bounds the wait for the end of a program's output after its exit, since
// another process may hold it open.
const readAfterEnd = 2 * time.Second

// start starts the program and returns at once; ready is closed when it has answered.
func (s *seat) start(trust bool) *agent {
	a := &agent{seat: s, trusts: trust, ready: make(chan struct{})}
	a.life, a.end = context.WithCancel(s.life)
	s.stopping.Go(func() {
		defer close(a.ready)
		if a.failure = a.launch(); a.failure != nil {
			a.end()
			if a.program != nil {
				a.program.Stop()
			}
		}
	})
	return a
}

// launch starts the program when no other one is starting, and greets it.
func (a *agent) launch() *agents.Failure {
	s, p := a.seat, a.seat.provider
	env := p.config.environment(p.options.Env)
	select {
	case p.options.Starts <- struct{}{}:
		defer func() { <-p.options.Starts }()
	case <-a.life.Done():
		return p.startFailure(errClosed)
	}
	command := p.config.Command
	if a.trusts {
		command = slices.Concat(command, p.config.Trust)
	}
	program, err := process.Start(command, env, "roundtable-acp-", p.options.Guard)
	if err != nil {
		return p.startFailure(err)
	}
	a.program, a.lines = program, newLineReader(program.Stdout, p.mask, a.deliver)
	a.conn = sdk.NewConnection(a.handle, program.Stdin, a.lines)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	close(a.lines.begun)
	s.stopping.Go(func() {
		defer a.stop()
		select {
		case <-a.conn.Done():
			return
		case <-a.life.Done():
			return
		case <-program.Done():
		case <-program.Stdin.Failed():
		}
		select { // the connection ends when its output is read
		case <-a.conn.Done():
		case <-a.life.Done():
		case <-time.After(readAfterEnd):
		}
	})
	return a.initialize()
}

func (a *agent) initialize() *agents.Failure {
	p := a.seat.provider
	ctx, cancel := a.limited(a.life)
	defer cancel(nil)
	var err error
	a.hello, err = sdk.SendRequest[sdk.InitializeResponse](a.conn, ctx, sdk.AgentMethodInitialize, sdk.InitializeRequest{
		ProtocolVersion:    sdk.ProtocolVersionNumber,
		ClientCapabilities: sdk.ClientCapabilities{Fs: sdk.FileSystemCapabilities{ReadTextFile: true}},
		ClientInfo:         &sdk.Implementation{Name: "roundtable", Version: p.options.Version},
	})
	switch {
	case err != nil:
		return a.explain(ctx, err, "while it started")
	case a.hello.ProtocolVersion != sdk.ProtocolVersionNumber:
		return &agents.Failure{
			Kind: agents.KindConfig,
			Cause: fmt.Sprintf("%s speaks version %d of the Agent Client Protocol; Roundtable speaks version %d.", p.name,
				a.hello.ProtocolVersion, sdk.ProtocolVersionNumber),
			Remedy: "Update the agent or Roundtable, whichever is older.",
		}
	}
	return nil
}

func (a *agent) await(ctx context.Context) error {
	select {
	case <-a.ready:
		if a.failure != nil {
			return a.failure
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

var errSlow = errors.New("no answer in time")

// limited returns a context for a request that the agent has to answer in the time of a start.
func (a *agent) limited(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := within(ctx, a.life)
	p := a.seat.provider
	stop := p.options.AfterFunc(p.config.Start, func() { cancel(errSlow) })
	return ctx, func(err error) {
		stop()
		cancel(err)
	}
}

// within returns a context that ends when one of two does.
func within(ctx, life context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(life, func() { cancel(context.Cause(life)) })
	return ctx, func(err error) {
		stop()
		cancel(err)
	}
}

// stop ends the program with its group. It returns within three seconds.
func (a *agent) stop() {
	a.end()
	<-a.ready
	if a.program != nil {
		a.program.Stop()
	}
}

func (a *agent) hasEnded() bool {
	select {
	case <-a.ready:
		return a.failure == nil && a.hasClosed()
	default:
		return false
	}
}

func (a *agent) deliver(n sdk.SessionNotification) {
	if t := a.turnOf(n.SessionId); t != nil {
		t.take(n.Update)
	}
}

func (a *agent) about() About {
	about := About{Protocol: int(a.hello.ProtocolVersion)}
	if info := a.hello.AgentInfo; info != nil {
		about.Name, about.Version = text.Label(info.Name), text.Label(info.Version)
		if info.Title != nil && *info.Title != "" {
			about.Name = text.Label(*info.Title)
		}
	}
	return about
}

// Limits of what an agent may send.
const (
	maxLine   = 8 << 20  // bytes of one message
	maxTurn   = 64 << 20 // bytes of all messages of a turn
	maxAnswer = 10 << 20 // bytes of text and reasoning of a turn
)

// lineReader reads the standard output of an agent. Session updates are delivered in
// order, before what follows them is passed on; deliver must not wait. Requests and answers go to
// the SDK, other notifications are dropped: the SDK ends the connection when many come at once. An
// invalid message and a flood end it, too.
type lineReader struct {
	lines   *bufio.Reader
	mask    secret.Values
	deliver func(sdk.SessionNotification)
	begun   chan struct{}
	line    []byte // rest of a line for the SDK
	spoken  bool   // a message was read
	total   atomic.Int64
	err     atomic.Pointer[error] // why the connection was ended
}

func newLineReader(f *os.File, mask secret.Values, deliver func(sdk.SessionNotification)) *lineReader {
	return &lineReader{lines: bufio.NewReaderSize(f, 64<<10), mask: mask, deliver: deliver, begun: make(chan struct{})}
}

// Read returns the next part of a message for the SDK.
func (r *lineReader) Read(p []byte) (int, error) {
	<-r.begun
	for len(r.line) == 0 {
		line, err := r.next()
		if err != nil {
			return 0, err
		}
		if err := r.handle(line); err != nil {
			return 0, r.fail(err)
		}
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

func (r *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		piece, err := r.lines.ReadSlice('\n')
		line = append(line, piece...)
		switch sent := r.total.Add(int64(len(piece))); {
		case len(line) > maxLine:
			return nil, r.fail(fmt.Errorf("it sent a message of more than %d MB", maxLine>>20))
		case sent > maxTurn:
			return nil, r.fail(fmt.Errorf("it sent more than %d MB in one turn", maxTurn>>20))
		case err == nil:
			return []byte(r.mask.Mask(string(bytes.TrimSpace(line)))), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case len(bytes.TrimSpace(line)) > 0 && r.spoken:
			return nil, r.fail(errors.New("its last message broke off"))
		default:
			return nil, io.EOF
		}
	}
}

// handle delivers a line or keeps it for the SDK. Output before the first message is
// ignored.
func (r *lineReader) handle(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" {
		if !r.spoken && line[0] != '{' {
			return nil
		}
		return fmt.Errorf("it sent an invalid protocol message: %s", text.Clip(text.Line(string(line)), maxQuote))
	}
	r.spoken = true
	switch {
	case len(m.ID) > 0 || m.Method == "$/cancel_request":
		r.line = append(line, '\n')
	case m.Method == sdk.ClientMethodSessionUpdate:
		var n sdk.SessionNotification
		if json.Unmarshal(m.Params, &n) == nil { // unknown kinds of updates are no error
			r.deliver(n)
		}
	}
	return nil
}

func (r *lineReader) fail(err error) error {
	r.err.Store(&err)
	return err
}

func (r *lineReader) failure() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// maxQuote is the most of an agent's text in a sentence, in cells.
const maxQuote = 300
