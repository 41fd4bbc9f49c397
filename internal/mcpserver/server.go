// Package mcpserver offers debates as an MCP server, so that another program, most often
// an assistant, can call a panel, answer what its members ask, and read the result. It
// works on the same database as the interface and the commands.
//
// It plays by the steps of debate/control, and offers its actions. It knows no store and no
// configuration: what it needs of them is a Debates. It is, with agents/tools/mcp, the only
// importer of the MCP SDK.
package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
)

// Query selects sessions of a list.
type Query struct {
	Text   string
	Status string
	Limit  int
}

// Agent is an agent that can debate.
type Agent struct {
	ID       agents.ID `json:"id"`
	Name     string    `json:"name"`
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	Panels   []string  `json:"panels"`
	Problem  string    `json:"problem,omitempty"` // what to do before it can debate
}

// Debates is what the server needs from the program. An error of it is for the client.
type Debates interface {
	// Create makes a session, stores it and locks it. If the plan names no agents, the count
	// chooses the first ones of the panel; 0 chooses all.
	Create(ctx context.Context, p debate.Plan, count int) (debate.Session, error)
	// Open locks a session, by its id or the beginning of it, for changes. It is an error
	// if somebody else has it open.
	Open(ctx context.Context, id string) (debate.Session, error)
	// Close unlocks a session.
	Close(id string) error
	// Read returns a session without locking it.
	Read(ctx context.Context, id string) (debate.Session, error)
	// List returns the sessions that fit a query, the last changed first.
	List(ctx context.Context, q Query) ([]debate.SessionSummary, error)
	// Agents lists who can debate.
	Agents(ctx context.Context) ([]Agent, error)
	control.Player
	control.Writer
}

// Server answers the calls of one client.
type Server struct {
	debates Debates
	mu      sync.Mutex
	holds   map[string]*hold // by session
}

// instructions tell a client what the server is for.
const instructions = "Roundtable lets several language models debate a question, blind at first, and ends with a verdict that " +
	"says who dissents. Call it for decisions where being wrong is costly. Its agents ask for facts: answer them with " +
	"continue_roundtable, from what you can find out or by asking the user; never make an answer up."

// Serve answers a client until its input ends or ctx is done.
func Serve(ctx context.Context, debates Debates, version string, in io.Reader, out io.Writer) error {
	writer := &shared{out: out}
	reader := &lines{in: bufio.NewReader(in), out: writer}
	err := newServer(debates, version).Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(reader), Writer: writer})
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// newServer returns the MCP server for debates.
func newServer(debates Debates, version string) *mcp.Server {
	s := &Server{debates: debates, holds: map[string]*hold{}}
	server := mcp.NewServer(&mcp.Implementation{Name: "roundtable", Title: "Roundtable", Version: version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	s.addPlaying(server)
	s.addReading(server)
	s.addResources(server)
	server.AddReceivingMiddleware(briefErrors)
	return server
}

// hold is a session that a call has locked.
type hold struct {
	ctx   context.Context // of the call
	run   control.Run     // what is being played; nil: nothing
	freed chan struct{}   // closed when the session is unlocked
}

// open locks a session while do uses it. A call that was cancelled is waited for: it is
// about to unlock its session.
func (s *Server) open(ctx context.Context, id string, do func(context.Context, debate.Session) (Result, error)) (Result, error) {
	if h := s.holding(id); h != nil && h.ctx.Err() != nil {
		select {
		case <-h.freed:
		case <-ctx.Done():
		}
	}
	session, err := s.debates.Open(ctx, id)
	if err != nil {
		return Result{}, err
	}
	return s.locked(ctx, session, do)
}

// locked unlocks a session when do has ended.
func (s *Server) locked(ctx context.Context, session debate.Session,
	do func(context.Context, debate.Session) (Result, error),
) (r Result, err error) {
	h := &hold{ctx: ctx, freed: make(chan struct{})}
	s.mu.Lock()
	s.holds[session.ID] = h
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.holds, session.ID)
		s.mu.Unlock()
		if closed := s.debates.Close(session.ID); err == nil {
			err = closed
		}
		close(h.freed)
	}()
	return do(ctx, session)
}

// holding returns the hold on a session, which may be named by the beginning of its id;
// nil if no call has it locked.
func (s *Server) holding(id string) *hold {
	s.mu.Lock()
	defer s.mu.Unlock()
	for session, h := range s.holds {
		if id != "" && strings.HasPrefix(session, id) {
			return h
		}
	}
	return nil
}

// running returns what is being played of a session; nil if nothing is.
func (s *Server) running(id string) control.Run {
	h := s.holding(id)
	if h == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return h.run
}

// setRun says what is being played of a session that is locked.
func (s *Server) setRun(id string, run control.Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.holds[id]; h != nil {
		h.run = run
	}
}

// maxItems is how many entries a list of arguments has at the most.
const maxItems = 100

// addTool adds a tool whose arguments are an In.
func addTool[In, Out any](server *mcp.Server, t *mcp.Tool, h mcp.ToolHandlerFor[In, Out]) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Errorf("arguments of %s: %w", t.Name, err)) // the types are ours
	}
	simplify(schema)
	t.InputSchema = schema
	mcp.AddTool(server, t, h)
}

// simplify bounds a schema and gives it one type each, since there are clients, such as
// the MCP inspector, that send a list as text if its type is "null or array".
func simplify(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	switch s.Type {
	case "string":
		s.MaxLength = jsonschema.Ptr(ledger.MaxAnswer)
	case "array":
		s.MaxItems = jsonschema.Ptr(maxItems)
		simplify(s.Items)
	case "integer":
		s.Minimum = jsonschema.Ptr(0.0)
	case "object":
		for _, property := range s.Properties {
			simplify(property)
		}
	}
}
