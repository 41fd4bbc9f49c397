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
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/process"
)

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
	// Plan returns the session of a plan with all that is brought, and in sentences what to
	// know of it. It stores nothing.
	Plan(ctx context.Context, p debate.Plan, b Brought) (debate.Session, []string, error)
	// Create stores a session and locks it for a client, by its name; "" is unknown. If an equal
	// call has begun one a short time ago, its error is a *debate.BegunError.
	Create(ctx context.Context, s debate.Session, client string) (debate.Session, error)
	// Recipients says who receives what a session sends.
	Recipients(s debate.Session) string
	// Bring reads what a client brings to a session, as Plan does. The workspace must be that
	// of the session.
	Bring(ctx context.Context, s debate.Session, b Brought) ([]debate.Evidence, []string, error)
	// AddEvidence stores evidence and returns the session with it.
	AddEvidence(ctx context.Context, session string, added ...debate.Evidence) (debate.Session, error)
	// Allow lets the seats of a session read its workspace.
	Allow(ctx context.Context, s debate.Session) error
	// Open locks the session of exactly this id for changes of a client. It is an error if somebody
	// else has it open.
	Open(ctx context.Context, id, client string) (debate.Session, error)
	// Close unlocks a session.
	Close(id string) error
	// Held reports whether a process has a session open, this one included, and which one.
	Held(id string) (by debate.Holder, ok bool)
	// Read returns the session of exactly this id without locking it.
	Read(ctx context.Context, id string) (debate.Session, error)
	// List returns sessions that contain a text and are in a state, the last changed first.
	List(ctx context.Context, search, status string, limit int) ([]debate.SessionSummary, error)
	// SaveDraft saves text for the form of the interface; it answers nothing.
	SaveDraft(ctx context.Context, session, request string, d debate.Draft) error
	// Agents lists who can debate.
	Agents(ctx context.Context) ([]Agent, error)
	control.Player
	control.Writer
}

// Options are what a server works with.
type Options struct {
	Version string
	Wait    time.Duration // how long a call waits for a round at the most; the round goes on
	Elicit  bool          // the person is asked through clients that can show a form
	Answers AnswerPolicy  // what answers of an assistant are worth
	Folder  string        // the server was started in
	Rooted  bool          // the config says which folders a client may name files of
}

// AnswerPolicy says what the answers of an assistant are worth.
type AnswerPolicy string

// The policies.
const (
	AnswersWithCaution AnswerPolicy = "caution" // they open the gate, and the verdict says so
	AnswersCount       AnswerPolicy = "count"   // they are worth those of a person
	AnswersBlocked     AnswerPolicy = "block"   // they are only proposals for the person
)

// Server answers the calls of one client.
type Server struct {
	debates  Debates
	options  Options
	ctx      context.Context // of all runs: it ends with the server
	playing  sync.WaitGroup  // runs
	starting sync.Mutex
	tools    map[string]*jsonschema.Schema // of their arguments, by name
	secret   [32]byte                      // with which states of calls are signed

	mu        sync.Mutex
	handles   map[string]*handle // by session
	formsFail bool               // the client cannot show forms although it says so
}

type handle struct {
	turn chan struct{} // held by the call that changes the session
	// Server.mu guards these.
	last  *run // the newest run; nil: none
	forms forms
	notes []string // what to know of what its calls brought, as sentences
}

// instructions tell a client what the server is for.
const instructions = "Roundtable lets several language models debate a question, blind at first, and ends with a verdict that " +
	"says who dissents. Call it for decisions where being wrong is costly. Its agents ask for facts: answer them with " +
	"continue_roundtable, from what you can find out or by asking the user; never make an answer up."

// stopTime is how long the end of the input waits for runs to be kept and answers to be read.
const stopTime = 1500 * time.Millisecond

// Serve answers a client until its input ends or ctx is done. What is being played then is
// kept as far as it is.
func Serve(ctx context.Context, debates Debates, o Options, in io.Reader, out io.Writer) error {
	playing, stop := context.WithCancel(ctx)
	s := &Server{
		debates: debates, options: o, ctx: playing,
		tools: map[string]*jsonschema.Schema{}, handles: map[string]*handle{},
	}
	rand.Read(s.secret[:])                     // never fails, see crypto/rand
	writer := process.NewWriteQueue(kept{out}) // a client may send on before it reads
	reader := &lines{in: bufio.NewReader(in), out: writer}
	err := s.protocol().Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(reader), Writer: writer})
	stop()
	ended := make(chan struct{})
	go func() {
		s.playing.Wait()
		<-writer.Flushed()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(stopTime):
	}
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) || ctx.Err() != nil {
		return nil
	}
	return err
}

func (s *Server) protocol() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "roundtable", Title: "Roundtable", Version: s.options.Version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	s.addPlaying(server)
	s.addReading(server)
	server.AddReceivingMiddleware(s.briefErrors, s.fitArguments)
	return server
}

// change has do called with the controller of a session that nobody else changes meanwhile.
// It returns what is under way afterwards, which the call can wait for; nil if nothing is.
func (s *Server) change(ctx context.Context, req *mcp.CallToolRequest, id string, do func(*control.Controller) error,
) (*run, debate.Session, error) {
	h, release := s.guarded(id)
	release()
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return nil, debate.Session{}, ctx.Err()
	}
	var session debate.Session
	var err error
	if r := s.underWay(id); r != nil && r.within(func(c *control.Controller) { err, session = refusal(do(c)), c.Session() }) {
		return r, session, err
	}
	if session, err = s.debates.Open(ctx, id, clientOf(req)); err != nil {
		return nil, session, s.lockedBy(ctx, id, err)
	}
	return s.conduct(req, session, do)
}

// elsewhere returns the other process that has a session open; ok is false if none has.
func (s *Server) elsewhere(id string) (by debate.Holder, ok bool) {
	if by, ok = s.debates.Held(id); !ok || by.Host == "" && by.PID == os.Getpid() {
		return debate.Holder{}, false
	}
	return by, true
}

// lockedBy says what another process does with a session that cannot be opened.
func (s *Server) lockedBy(ctx context.Context, id string, err error) error {
	by, held := s.elsewhere(id)
	session, unread := s.debates.Read(ctx, id)
	if !held || unread != nil || !errors.Is(err, debate.ErrLocked) {
		return err
	}
	return fmt.Errorf("%s Nothing was changed. Continue it there, or call again when it is closed there; "+
		"wait_roundtable waits, and get_round_details reads it meanwhile", report.Doing(by, session))
}

// conduct changes a locked session, and plays on what that begins or else unlocks it.
func (s *Server) conduct(req *mcp.CallToolRequest, session debate.Session, do func(*control.Controller) error,
) (*run, debate.Session, error) {
	c := control.New(session, control.Options{
		Player: s.debates, Writer: s.debates, Author: s.author(req), Planned: true,
	})
	estimate := c.Words().State(time.Now()).Cost
	err := refusal(do(c))
	if session = c.Session(); !c.Running() {
		return nil, session, errors.Join(err, s.debates.Close(session.ID))
	}
	r := s.begin(c, estimate)
	h, release := s.guarded(session.ID)
	defer release()
	h.last = r
	return r, session, err
}

func (s *Server) author(req *mcp.CallToolRequest) ledger.Author {
	return ledger.Author{Kind: ledger.Assistant, Door: clientOf(req), Counts: s.options.Answers == AnswersCount}
}

// guarded returns what the server has of a session for reading and changing it until release.
func (s *Server) guarded(id string) (h *handle, release func()) {
	s.mu.Lock()
	if s.handles[id] == nil {
		s.handles[id] = &handle{turn: make(chan struct{}, 1)}
	}
	return s.handles[id], s.mu.Unlock
}

func (s *Server) lastRun(id string) *run {
	h, release := s.guarded(id)
	defer release()
	return h.last
}

func (s *Server) underWay(id string) *run {
	r := s.lastRun(id)
	if r == nil {
		return nil
	}
	select {
	case <-r.ended:
		return nil
	default:
		return r
	}
}
