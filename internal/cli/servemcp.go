package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"roundtable/debate"
	wiring "roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/mcpserver"
	"roundtable/internal/text"
)

func mcpCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Serve debates to another program over the Model Context Protocol", Args: argCount(0, 0, ""),
		Long: "Serve debates as an MCP server on standard input and output, for assistants such as Claude Code.\n" +
			"It works on the same database as the interface: a debate that a client began can be opened and\n" +
			"answered there, and the other way round. It ends when its input ends.",
		Example: "  claude mcp add roundtable -- roundtable mcp",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			cfg, found, err := a.config()
			if err != nil {
				return err
			}
			st, err := a.openStore(ctx)
			if err != nil {
				return err
			}
			c := openClients(ctx, a, cfg, 0)
			eng := a.engine(st, cfg, c)
			return mcpserver.Serve(ctx, &mcpDebates{
				sessionService: newSessionService(st, sessionBuilder{cfg, found}, a.stateDir, eng.CloseSession, a.now),
				Player:         wiring.Player{Engine: eng, Prepare: c.Prepare}, clients: c, env: a.Env,
			}, version(), a.Stdin, a.Stdout)
		},
	}
}

// mcpDebates gives the MCP server its sessions.
type mcpDebates struct {
	*sessionService
	wiring.Player
	clients *config.Clients
	env     func(string) (string, bool)
}

var _ mcpserver.Debates = (*mcpDebates)(nil)

// Create makes a session of what the client asks for.
func (d *mcpDebates) Create(ctx context.Context, n mcpserver.NewDebate) (debate.Session, error) {
	o := runOptions{
		topic: text.SanitizeInput(n.Topic), mode: n.Mode, panel: n.Panel, agents: n.Agents, rounds: n.Rounds, question: n.Question,
		perspectives: n.Perspectives, options: n.Options, onConsensus: n.OnConsensus,
	}
	if err := o.checkFlags(func(flag string) bool {
		return flag == "rounds" && n.Rounds != 0 || flag == "question" && n.Question != ""
	}); err != nil {
		return debate.Session{}, err
	}
	if n.Count != 0 && len(o.agents) == 0 {
		var err error
		if o, err = d.withCount(o, n.Count); err != nil {
			return debate.Session{}, err
		}
	}
	s, err := d.builder.build(o)
	if err != nil {
		return debate.Session{}, err
	}
	if err := d.clients.Ready(s.Speakers()); err != nil {
		return debate.Session{}, err
	}
	return d.sessionService.Create(ctx, s)
}

// withCount chooses the first agents of the panel.
func (d *mcpDebates) withCount(o runOptions, count int) (runOptions, error) {
	if o.panel == demoPanel || !d.builder.configured {
		return o, usagef("agentCount needs a config file with agents; the panel demo has as many seats as its mode needs")
	}
	var ids []string
	for _, id := range d.builder.cfg.Panels[d.builder.panel(o)].Agents {
		ids = append(ids, string(id))
	}
	for _, one := range d.builder.cfg.Agents {
		if !slices.Contains(ids, string(one.ID)) {
			ids = append(ids, string(one.ID))
		}
	}
	if count < 2 || count > len(ids) {
		return o, usagef("agentCount must be 2 to %d, not %d", len(ids), count)
	}
	o.agents = ids[:count]
	return o, nil
}

// Read returns a session without locking it.
func (d *mcpDebates) Read(ctx context.Context, id string) (debate.Session, error) {
	return d.Session(ctx, id)
}

// Open locks a session, which may be named by the beginning of its id.
func (d *mcpDebates) Open(ctx context.Context, id string) (debate.Session, error) {
	full, err := d.Resolve(ctx, id)
	if err != nil {
		return debate.Session{}, err
	}
	if err := d.lockOnce(ctx, full); errors.Is(err, errOpenHere) {
		return debate.Session{}, fmt.Errorf("session %s is being played by another call; "+
			"control_session with the action pause cuts it short", full)
	} else if err != nil {
		return debate.Session{}, err
	}
	return d.sessionService.Open(ctx, full)
}

// List returns the sessions that fit a query.
func (d *mcpDebates) List(ctx context.Context, q mcpserver.Query) ([]debate.SessionSummary, error) {
	query, err := listOptions{search: q.Text, status: q.Status, limit: q.Limit}.query(d.now())
	if err != nil {
		return nil, err
	}
	return d.Store.Sessions(ctx, query)
}

// Agents lists the configured agents with their panels.
func (d *mcpDebates) Agents(context.Context) ([]mcpserver.Agent, error) {
	var all []mcpserver.Agent
	for _, c := range d.builder.cfg.Candidates(d.env) {
		one := mcpserver.Agent{
			ID: c.Profile.ID, Name: text.Line(c.Profile.Name), Provider: c.Profile.Provider, Model: text.Line(c.Profile.Model),
			Panels: []string{}, Problem: c.Problem,
		}
		for _, name := range slices.Sorted(maps.Keys(d.builder.cfg.Panels)) {
			if slices.Contains(d.builder.cfg.Panels[name].Agents, c.Profile.ID) {
				one.Panels = append(one.Panels, name)
			}
		}
		all = append(all, one)
	}
	return all, nil
}
