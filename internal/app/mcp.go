package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"roundtable/debate"
	"roundtable/internal/config"
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
	a.NoCommands = true
	c := a.OpenClients(ctx, cfg, 0)
	l := a.Sessions(st, NewBuilder(cfg, found), c)
	return mcpserver.Serve(ctx, &mcpDebates{Sessions: l, Player: l.Player, clients: c, env: a.Env},
		mcpserver.Options{
			Version: Version(), Wait: time.Duration(cfg.MCP.Wait), Elicit: cfg.MCP.Elicit,
			Answers: mcpserver.AnswerPolicy(cfg.MCP.AssistantAnswers),
		}, a.Stdin, a.Stdout)
}

// mcpDebates gives the MCP server its sessions.
type mcpDebates struct {
	*Sessions
	Player
	clients *config.Clients
	env     func(string) (string, bool)
}

// Create makes a session of what the client asks for.
func (d *mcpDebates) Create(ctx context.Context, o debate.Plan, count int) (debate.Session, error) {
	o.Topic = text.SanitizeInput(o.Topic)
	err := CheckPlan(o, func(flag string) bool {
		return flag == "rounds" && o.Rounds != 0 || flag == "question" && o.Question != ""
	})
	if err == nil && count != 0 && len(o.Agents) == 0 {
		o, err = d.withCount(o, count)
	}
	if err != nil {
		return debate.Session{}, err
	}
	s, err := d.builder.Build(o)
	if err != nil {
		return debate.Session{}, err
	}
	if err := cmp.Or(d.local(s), d.clients.Ready(s.Speakers())); err != nil {
		return debate.Session{}, err
	}
	return d.Sessions.Create(ctx, s)
}

// withCount chooses the first agents of the panel.
func (d *mcpDebates) withCount(o debate.Plan, count int) (debate.Plan, error) {
	if o.Panel == DemoPanel || !d.builder.configured {
		return o, Usagef("agentCount needs a config file with seats; the panel demo has as many seats as its mode needs")
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
		return o, Usagef("agentCount must be 2 to %d, not %d", len(ids), count)
	}
	o.Agents = ids[:count]
	return o, nil
}

// Read returns a session without locking it.
func (d *mcpDebates) Read(ctx context.Context, id string) (debate.Session, error) {
	return d.Session(ctx, id)
}

// Open locks a session.
func (d *mcpDebates) Open(ctx context.Context, id string) (debate.Session, error) {
	if err := d.lockOnce(ctx, id); errors.Is(err, errOpenHere) {
		return debate.Session{}, fmt.Errorf("debate %s is being changed by another call", id)
	} else if err != nil {
		return debate.Session{}, err
	}
	s, err := d.Sessions.Open(ctx, id)
	if err == nil {
		err = d.local(s)
	}
	if err != nil {
		return s, errors.Join(err, d.Close(id))
	}
	return s, nil
}

// List returns the sessions that fit a query.
func (d *mcpDebates) List(ctx context.Context, q mcpserver.Query) ([]debate.SessionSummary, error) {
	query, err := Filter{Search: q.Text, Status: q.Status, Limit: q.Limit}.Query(d.now())
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
