package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"roundtable/agents"
	"roundtable/internal/text"
)

// maxSilent is how many calls in a row may get no answer before the server is not used
// for the rest of the round.
const maxSilent = 2

type server struct {
	*Servers
	name   string
	config Config
	mask   func(string) string

	lock      chan struct{} // holds one value while the fields below are used
	link      *link         // nil: it never answered
	failure   string        // why it could not be started
	restarted bool          // in this round
	down      string        // why it is not used in this round; "": it is
	silent    int           // calls in a row without an answer
	entries   []*entry      // by name
	notices   []string
}

// entry is a tool of a server's list, or one that is allowed and not in it.
type entry struct {
	ToolStatus
	definition Definition
	spec       agents.ToolSpec
	readsOnly  bool // as the server says; what others may change is shared, since all seats use one server
}

func (s *server) acquire(ctx context.Context) error {
	select {
	case s.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *server) release() { <-s.lock }

func (s *server) start(ctx context.Context) {
	if s.acquire(ctx) != nil {
		return
	}
	defer s.release()
	listed, err := s.open(ctx)
	if err == nil {
		err = s.compare(ctx, listed)
	}
	if err != nil {
		s.failure = s.mask(err.Error())
		s.notice("The MCP server %s cannot be used: %s.", s.name, s.failure)
	}
}

func (s *server) open(ctx context.Context) (map[string]*sdk.Tool, error) {
	ctx, cancel := s.WithTimeout(ctx, StartTimeout)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	l, err := connect(ctx, s.config, s.Env, s.Version, &s.stopping)
	if err != nil {
		return nil, err
	}
	s.link = l
	all, more, err := l.list(ctx)
	if err != nil {
		s.stopping.Go(l.stop)
		return nil, fmt.Errorf("its tools cannot be listed: %w", err)
	}
	if more {
		s.notice("The MCP server %s has more than %d tools; the rest is left out.", s.name, maxTools)
	}
	listed := map[string]*sdk.Tool{}
	for _, t := range all {
		if _, twice := listed[t.Name]; twice {
			s.notice("The MCP server %s lists the tool %q twice; the first one counts.", s.name, text.Label(t.Name))
			continue
		}
		listed[t.Name] = t
	}
	return listed, nil
}

func (s *server) notice(format string, args ...any) {
	if n := s.mask(fmt.Sprintf(format, args...)); !slices.Contains(s.notices, n) {
		s.notices = append(s.notices, n)
	}
}

// compare compares the listed tools with what is allowed and what was approved. A tool
// that is allowed and was never seen before is approved by that.
func (s *server) compare(ctx context.Context, listed map[string]*sdk.Tool) error {
	approved, err := s.Approvals.ApprovedTools(ctx, s.name)
	if err != nil {
		return fmt.Errorf("its approved tools cannot be read: %w", err)
	}
	known := slices.Sorted(maps.Keys(listed))
	for _, name := range s.config.Allow {
		if listed[name] == nil {
			status := ToolStatus{Name: toolName(s.name, name), Tool: name, State: Missing, Reason: "the server has no such tool"}
			s.entries = append(s.entries, &entry{ToolStatus: status})
			s.notice("The MCP server %s has no tool %q, which its allow list names.%s", s.name, text.Label(name), didYouMean(name, known))
		}
	}
	first := map[string]string{}
	for _, name := range known {
		e := s.entry(listed[name], approved[name])
		if _, seen := approved[name]; e.State == Offered && !seen {
			first[name] = e.definition.Text
		}
		s.entries = append(s.entries, e)
	}
	slices.SortFunc(s.entries, func(a, b *entry) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Tool, b.Tool)) })
	if len(first) == 0 {
		return nil
	}
	if err := s.Approvals.ApproveTools(ctx, s.name, first); err != nil {
		s.entries = nil
		return fmt.Errorf("its tools cannot be stored as approved: %w", err)
	}
	return nil
}

func didYouMean(word string, known []string) string {
	if likely := text.Closest(word, known); likely != "" {
		return fmt.Sprintf(" Did you mean %s?", text.Label(likely))
	}
	return ""
}

// entry decides whether a listed tool is offered. Approved is its approved definition, ""
// if there is none.
func (s *server) entry(t *sdk.Tool, approved string) *entry {
	e := &entry{ToolStatus: ToolStatus{Name: toolName(s.name, t.Name), Tool: t.Name, State: Offered}}
	if !slices.Contains(s.config.Allow, t.Name) {
		e.State = NotAllowed
		return e
	}
	e.readsOnly = t.Annotations != nil && t.Annotations.ReadOnlyHint
	var err error
	if e.definition, err = newDefinition(s.name, t, s.mask); err == nil {
		e.spec, err = newSpec(e.definition, t, s.mask)
	}
	twin := slices.ContainsFunc(s.entries, func(o *entry) bool { return o.Name == e.Name })
	switch {
	case err != nil:
		e.State, e.Reason = Invalid, text.Clip(text.Line(err.Error()), maxQuote)
		s.notice("%s is not offered: %s.", e.Name, e.Reason)
	case twin:
		e.State, e.Reason = Invalid, "another tool has the same name"
		s.notice("%s is not offered: %s.", e.Name, e.Reason)
	case approved != "" && approved != e.definition.Text:
		e.State, e.Reason = Changed, "its definition has changed since it was approved"
		e.Diff = difference(approved, e.definition.Text)
		s.notice("%s is not offered: %s. `roundtable tools approve %s` approves this change: %s",
			e.Name, e.Reason, e.Name, text.Clip(text.Line(e.Diff), maxQuote))
	}
	return e
}

// connected returns the connection to the server. A server that has ended is started
// again once in a round, if it has the same tools as before.
func (s *server) connected(ctx context.Context) (*link, error) {
	if err := s.acquire(ctx); err != nil {
		return nil, err
	}
	defer s.release()
	switch {
	case s.life.Err() != nil:
		return nil, fmt.Errorf("the MCP server %s was stopped", s.name)
	case s.down != "":
		return nil, fmt.Errorf("the MCP server %s is not available in this round: %s", s.name, s.down)
	}
	if !s.link.isEnded() {
		return s.link, nil
	}
	why := s.mask(s.link.cause())
	if s.restarted {
		return nil, s.breakDown(why)
	}
	s.restarted = true
	listed, err := s.open(ctx)
	if ctx.Err() != nil {
		s.restarted = false
		return nil, ctx.Err()
	}
	if err == nil {
		err = s.unchanged(listed)
	}
	if err != nil {
		s.stopping.Go(s.link.stop)
		return nil, s.breakDown(why + "; then it was started again: " + s.mask(err.Error()))
	}
	s.notice("The MCP server %s was started again: %s.", s.name, why)
	return s.link, nil
}

// breakDown ends the use of the server for the round. The caller holds the lock.
func (s *server) breakDown(why string) error {
	s.down = why
	s.notice("The MCP server %s broke down and was not used for the rest of the round: %s.", s.name, why)
	return fmt.Errorf("the MCP server %s is not available in this round: %s", s.name, why)
}

// unchanged returns an error if an offered tool is not in the list or differs from what
// is offered.
func (s *server) unchanged(listed map[string]*sdk.Tool) error {
	for _, e := range s.entries {
		if e.State != Offered {
			continue
		}
		t := listed[e.Tool]
		if t == nil {
			return fmt.Errorf("it has no tool %s any more", e.Name)
		}
		if d, err := newDefinition(s.name, t, s.mask); err != nil || d != e.definition {
			return fmt.Errorf("it defines %s differently", e.Name)
		}
	}
	return nil
}

// call calls a tool of the server. The error is worded for the model, except for that
// of ctx and that of the server, a *jsonrpc.Error.
func (s *server) call(ctx context.Context, tool string, args any) (*sdk.CallToolResult, error) {
	l, err := s.connected(ctx)
	if err != nil {
		return nil, err
	}
	timeout, err := s.config.timeout()
	if err != nil {
		return nil, err
	}
	limited, cancel := s.WithTimeout(ctx, timeout)
	defer cancel()
	l.asked()
	res, err := l.session.CallTool(limited, &sdk.CallToolParams{Name: tool, Arguments: args})
	switch {
	case err == nil || answerOf(err) != nil:
		s.count(0)
		return res, err
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err()
	case limited.Err() != nil:
		s.count(1)
		return nil, cmp.Or(ctx.Err(), fmt.Errorf("the MCP server %s did not answer within %s", s.name, timeout.Round(time.Second)))
	}
	why := l.explain(err)
	if l.isBrokenBy(err) {
		s.fail(l, why)
	}
	return nil, fmt.Errorf("the MCP server %s gave no answer: %s", s.name, s.mask(why.Error()))
}

func (s *server) fail(l *link, why error) {
	s.lock <- struct{}{}
	defer s.release()
	if s.life.Err() == nil {
		l.fail(why, &s.stopping)
	}
}

// count counts calls in a row without an answer; 0 resets it. A server
// that answers nothing is stopped.
func (s *server) count(silent int) {
	s.lock <- struct{}{}
	defer s.release()
	if s.silent += silent; silent == 0 {
		s.silent = 0
	}
	if s.silent >= maxSilent && s.down == "" && s.life.Err() == nil {
		_ = s.breakDown(fmt.Sprintf("it did not answer %d calls in a row", s.silent)) // the calls report it
		s.stopping.Go(s.link.stop)
	}
}

const (
	maxMessage = 8 << 20  // bytes of one message
	maxFlood   = 32 << 20 // bytes that a server may send without being asked
	maxLines   = 20_000   // and lines
)

// messageReader reads the standard output of a server and passes on what answers or asks
// something. Lines that are no message and notifications are left out. A line without an
// end and a flood end the connection.
type messageReader struct {
	file    *os.File
	lines   *bufio.Reader
	line    []byte                // rest of a line for the SDK
	unasked atomic.Int64          // bytes since it was asked something
	count   atomic.Int64          // lines since then
	err     atomic.Pointer[error] // why it ended the connection
}

func (r *messageReader) asked() {
	r.unasked.Store(0)
	r.count.Store(0)
}

// Read returns the next part of a message.
func (r *messageReader) Read(p []byte) (int, error) {
	for len(r.line) == 0 {
		line, err := r.next()
		if err != nil {
			return 0, err
		}
		if isMessage(line) {
			r.line = append(line, '\n')
		}
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

func (r *messageReader) next() ([]byte, error) {
	var line []byte
	for {
		piece, err := r.lines.ReadSlice('\n')
		line = append(line, piece...)
		switch sent := r.unasked.Add(int64(len(piece))); {
		case len(line) > maxMessage:
			return nil, r.fail(fmt.Errorf("it sent a line of more than %d MB", maxMessage>>20))
		case sent > maxFlood:
			return nil, r.fail(fmt.Errorf("it sent more than %d MB without being asked", maxFlood>>20))
		case err == nil && r.count.Add(1) > maxLines:
			return nil, r.fail(fmt.Errorf("it sent more than %d lines without being asked", maxLines))
		case err == nil:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, io.EOF
		}
	}
}

func (r *messageReader) fail(err error) error {
	r.err.Store(&err)
	return err
}

func (r *messageReader) failure() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Close closes the standard output.
func (r *messageReader) Close() error { return r.file.Close() }

func isMessage(line []byte) bool {
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil || m.Version != "2.0" {
		return false
	}
	return len(m.ID) > 0 && (m.ID[0] == '"' || m.ID[0] == '-' || m.ID[0] >= '0' && m.ID[0] <= '9')
}
