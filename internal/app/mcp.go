package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/config"
	"roundtable/internal/evidence"
	"roundtable/internal/mcpserver"
	"roundtable/internal/text"
)

// ServeMCP serves debates as an MCP server on standard input and output.
func (a *App) ServeMCP(ctx context.Context) error {
	cfg, found, err := a.Config()
	if err != nil {
		return err
	}
	st, err := a.OpenStore(ctx)
	if err != nil {
		return err
	}
	a.NoCommands, cfg.Tools.Commands = true, false // nobody is there to approve them
	c := a.OpenClients(ctx, cfg, 0)
	l := a.Sessions(st, NewBuilder(cfg, found), c)
	d := &mcpDebates{Sessions: l, Player: l.Player, clients: c}
	o := mcpserver.Options{
		Version: Version(), Wait: time.Duration(cfg.MCP.Wait), Elicit: cfg.MCP.Elicit,
		Answers: mcpserver.AnswerPolicy(cfg.MCP.AssistantAnswers), Folder: startFolder(),
		Rooted: len(cfg.MCP.Roots) > 0,
	}
	for _, root := range cfg.MCP.Roots {
		d.roots = append(d.roots, withHome(root))
	}
	if len(d.roots) == 0 && o.Folder != "" {
		d.roots = []string{o.Folder}
	}
	return mcpserver.Serve(ctx, d, o, a.Stdin, a.Stdout)
}

// startFolder returns the folder that this process was started in, if that is chosen for
// some work: neither the root of the file system nor the home folder.
func startFolder() string {
	dir, err := os.Getwd()
	if err != nil || filepath.Dir(dir) == dir {
		return ""
	}
	here, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	if home, err := os.Stat(xdg.Home); err == nil && os.SameFile(here, home) {
		return ""
	}
	return dir
}

type mcpDebates struct {
	*Sessions
	Player
	clients *config.Clients
	roots   []string // what a client names is in one of these folders, unless it has its own
}

// Plan returns the session of what the client asks for, and stores nothing. Its error names all
// that is wrong.
func (d *mcpDebates) Plan(ctx context.Context, o debate.Plan, brought mcpserver.Brought) (s debate.Session, notes []string, err error) {
	defer func() { err = asArguments(err) }()
	o.Topic = text.Clean(o.Topic)
	var wrong []error
	if err := CheckPlan(o, func(flag string) bool { return flag == "rounds" && o.Rounds != 0 }); err != nil {
		o.Rounds, wrong = 0, append(wrong, err)
	}
	ceiling := d.ceiling()
	if ceiling.LowerThan(debate.Budget{USD: cmp.Or(o.USD, ceiling.USD), Tokens: cmp.Or(o.Tokens, ceiling.Tokens)}) {
		wrong = append(wrong, Usagef("--budget and --tokens cannot raise the budget of this server, which is %s; "+
			"only a person can change it, in the config", ceiling))
	}
	if brought.Dir != "" {
		o.Workspace, err = d.within(brought)
		if wrong = append(wrong, err); err == nil {
			o.WorkspaceMode = string(debate.WorkspaceLocal)
		}
	}
	b, err := d.app.For(ctx, d.builder, o)
	if err == nil {
		s, err = b.Build(o)
	}
	wrong = append(wrong, err)
	added, told, err := d.read(ctx, "ID", brought)
	if err = errors.Join(append(wrong, err)...); err == nil {
		err = d.app.CheckLocal(d.builder.cfg, s)
	}
	if err != nil {
		return s, nil, err
	}
	if s.Budget.USD == 0 && ceiling.USD > 0 {
		if s.Budget.USD = ceiling.USD; s.CheckBudget() != nil {
			s.Budget.USD = 0
			notes = append(notes, fmt.Sprintf("The budget of %s does not hold, since seats have no price, and there is no other limit: "+
				"budgetTokens sets one.", ceiling))
		}
	}
	s.Evidence, err = debate.AddEvidence(nil, added)
	return s, append(notes, told...), err
}

func (d *mcpDebates) ceiling() debate.Budget {
	b := d.builder.cfg.Budget
	if !b.Capped() {
		b.USD = d.builder.cfg.MCP.Budget
	}
	return b
}

// Create stores a session and locks it for a client.
func (d *mcpDebates) Create(ctx context.Context, s debate.Session, client string) (debate.Session, error) {
	if err := d.clients.Ready(s.Speakers()); err != nil {
		return s, err
	}
	s, err := d.Sessions.Create(ctx, s)
	if err == nil {
		err = d.setDoor(s.ID, client)
	}
	return s, err
}

// setDoor tells other processes which client has a session open.
func (d *mcpDebates) setDoor(id, client string) error {
	if client == "" {
		return nil
	}
	return d.SetHolder(id, func(h *debate.Holder) { h.Door = text.Label("mcp: " + client) })
}

// Recipients says who receives what a session sends.
func (d *mcpDebates) Recipients(s debate.Session) string { return d.app.recipients(d.builder.cfg, s) }

// Bring reads what the client brings to a session, and stores nothing.
func (d *mcpDebates) Bring(ctx context.Context, s debate.Session, b mcpserver.Brought) ([]debate.Evidence, []string, error) {
	var wrong error
	if b.Dir != "" {
		dir, err := d.within(b)
		if err == nil && s.Workspace.Dir == "" {
			err = Usagef("workspace: debate %s has none; one is chosen when a debate begins", s.ID)
		}
		if real, _ := filepath.EvalSymlinks(s.Workspace.Dir); err == nil && real != dir {
			err = Usagef("workspace: that of debate %s is %s, not %s", s.ID, text.Line(s.Workspace.Dir), text.Line(dir))
		}
		wrong = err
	}
	added, notes, err := d.read(ctx, s.ID, b)
	return added, notes, errors.Join(wrong, err)
}

// Allow lets the seats of a session read its workspace.
func (d *mcpDebates) Allow(_ context.Context, s debate.Session) error { return d.app.Named().Name(s) }

// folders returns the folders of which a client may name files.
func (d *mcpDebates) folders(b mcpserver.Brought) []string {
	if len(b.Folders) > 0 {
		return b.Folders
	}
	return d.roots
}

func (d *mcpDebates) within(b mcpserver.Brought) (string, error) {
	dir, err := evidence.FolderWithin(d.folders(b), b.Dir)
	if err != nil {
		return "", Usagef("workspace: %v%s", err, d.noRoots(b))
	}
	return dir, nil
}

// noRoots says what to do if a client may name no files; "" if it may.
func (d *mcpDebates) noRoots(b mcpserver.Brought) string {
	if len(d.folders(b)) > 0 {
		return ""
	}
	return " A person allows folders: roots in [mcp] of the config."
}

// read reads the evidence that a client brings to a session, and says in sentences
// what was left out. Files that look like secrets are for a person to add.
func (d *mcpDebates) read(ctx context.Context, session string, b mcpserver.Brought) (all []debate.Evidence, notes []string, err error) {
	var refused []string
	take := func(argument, path string, found evidence.Found, err error) {
		switch {
		case err != nil:
			refused = append(refused, argument+": "+err.Error()+d.noRoots(b))
		case len(found.Secrets) > 0:
			refused = append(refused, fmt.Sprintf("%s: %s is a file of keys or passwords, which an assistant cannot send. "+
				"A person can: `%s`",
				argument, found.Secrets[0], text.Command([]string{"roundtable", "continue", session, "--file", path})))
		default:
			all = append(all, found.Evidence...)
		}
	}
	for _, t := range b.Evidence {
		found, err := evidence.Text(t.Name, t.Text)
		take("evidence", "FILE", found, err)
	}
	for _, path := range b.Files {
		if path == "" {
			return nil, nil, Usagef("files: it is empty; give a path")
		}
		var found evidence.Found
		src, err := evidence.Within(d.folders(b), path)
		if err == nil {
			found, err = evidence.Read(ctx, nil, src)
		}
		take("files", src.Path, found, err)
	}
	if len(refused) > 0 {
		return nil, nil, Usagef("%s\nNothing was changed.", strings.Join(refused, "\n"))
	}
	return all, verdict.EvidenceSentences(debate.Session{Evidence: all}), nil
}

// asArguments returns an error about a debate in the words of a client: with the names of its
// arguments in place of flags. Commands are for a person, and stay as they are.
func asArguments(err error) error {
	if err == nil {
		return nil
	}
	arguments := map[string]string{"--budget": "budgetUsd", "--tokens": "budgetTokens"}
	// A whole command, or a flag outside of one and of names such as my--plan.md.
	flagOrCommand := regexp.MustCompile("`roundtable [^`]*`|\\B--[a-z][a-z-]*")
	words := flagOrCommand.ReplaceAllStringFunc(err.Error(), func(found string) string {
		return cmp.Or(arguments[found], strings.TrimPrefix(found, "--"))
	})
	if words != err.Error() {
		return errors.New(words)
	}
	return err
}

// known returns an error unless there is a session of exactly this id.
func (d *mcpDebates) known(ctx context.Context, id string) error {
	full, err := d.Resolve(ctx, id)
	if err == nil && full != id || errors.Is(err, debate.ErrNoSession) || errors.Is(err, debate.ErrAmbiguous) {
		return fmt.Errorf("%w with the id %q; an id is given whole, as results have it", debate.ErrNoSession, text.Label(id))
	}
	return err
}

// Read returns a session without locking it.
func (d *mcpDebates) Read(ctx context.Context, id string) (debate.Session, error) {
	if err := d.known(ctx, id); err != nil {
		return debate.Session{}, err
	}
	return d.Session(ctx, id)
}

// Open locks a session for a client.
func (d *mcpDebates) Open(ctx context.Context, id, client string) (debate.Session, error) {
	if err := d.known(ctx, id); err != nil {
		return debate.Session{}, err
	}
	if err := d.Lock(ctx, id); errors.Is(err, debate.ErrLocked) && d.HeldHere(id) {
		return debate.Session{}, fmt.Errorf("debate %s is being changed by another call", id)
	} else if err != nil {
		return debate.Session{}, err
	}
	s, err := d.Sessions.Open(ctx, id)
	if err == nil {
		err = cmp.Or(d.app.CheckLocal(d.builder.cfg, s), d.setDoor(id, client))
	}
	if err != nil {
		return s, errors.Join(err, d.Close(id))
	}
	return s, nil
}

// List returns the sessions that fit a query.
func (d *mcpDebates) List(ctx context.Context, search, status string, limit int) ([]debate.SessionSummary, error) {
	query, err := Filter{Search: search, Status: status, Limit: limit}.Query(d.app.Now())
	if err != nil {
		return nil, err
	}
	return d.Store.Sessions(ctx, query)
}

// Agents lists the configured agents with their panels.
func (d *mcpDebates) Agents(context.Context) ([]mcpserver.Agent, error) {
	var all []mcpserver.Agent
	for _, c := range d.builder.cfg.Candidates(d.app.Env) {
		all = append(all, mcpserver.Agent{
			ID: c.Profile.ID, Name: text.Line(c.Profile.Name), Provider: c.Profile.Provider, Model: text.Line(c.Profile.Model),
			Panels: PanelsWith(c.Profile.ID, d.builder.cfg.Panels), Problem: c.Problem,
		})
	}
	return all, nil
}
