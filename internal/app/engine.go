package app

import (
	"context"
	"os"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/agents/tools/mcp"
	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/engine"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/internal/text"
	"roundtable/store"
)

// MCPServers returns the MCP servers of a configuration, which are started when they are
// first asked. They are closed with the app.
func (a *App) MCPServers(configs map[string]mcp.Config, approvals mcp.Approvals) *mcp.Servers {
	s := mcp.New(configs, mcp.Options{Env: a.Env, Approvals: approvals, Version: Version()})
	a.closeAtEnd(s)
	return s
}

// ToolServers returns the configured MCP servers; all callers get the same ones.
func (a *App) ToolServers(s *store.Store, cfg config.Config) *mcp.Servers {
	if a.servers == nil {
		allowed, _ := cfg.MCPServers()
		a.servers = a.MCPServers(allowed, s)
	}
	return a.servers
}

func (a *App) withExternalTools(o engine.Options, s *store.Store, cfg config.Config) engine.Options {
	if len(cfg.Tools.MCP) == 0 {
		return o
	}
	servers := a.ToolServers(s, cfg)
	_, refused := cfg.MCPServers()
	o.ExternalTools = func(ctx context.Context) ([]tools.Tool, [][]string, error) {
		all, problems, err := servers.Tools(ctx)
		if len(refused) > 0 {
			problems = append(problems, refused)
		}
		return all, problems, err
	}
	return o
}

// PrintEstimate prints what a session is likely to need, and who would receive it.
func (a *App) PrintEstimate(ctx context.Context, cfg config.Config, s debate.Session) error {
	if err := a.CheckLocal(cfg, s); err != nil {
		return err
	}
	return a.Print("%s", budget.Details(s, a.recipients(cfg, s), a.past(ctx, s.Speakers())))
}

// past reads what the database knows of the answers of speakers' models, if there is one.
func (a *App) past(ctx context.Context, speakers []agents.Profile) budget.Past {
	known := map[[3]string]int{}
	key := func(p agents.Profile) [3]string { return [3]string{p.Provider, p.Model, p.ReasoningEffort} }
	st, err := a.ExistingStore(ctx)
	for i := 0; err == nil && i < len(speakers); i++ {
		if known[key(speakers[i])], err = st.AnswerTokens(ctx, speakers[i]); err != nil {
			a.Log.Warn("what a model wrote before was not read", "error", err)
		}
	}
	return func(p agents.Profile) int { return known[key(p)] }
}

func (a *App) recipients(cfg config.Config, s debate.Session) string {
	of := func(provider string) (string, bool) { return cfg.Recipient(provider, a.Env) }
	return control.Recipients(s, cfg.RemoteServers(), of)
}

// BuiltinTools returns the tools of the program itself. Only the configuration can allow
// commands.
func BuiltinTools(cfg config.Config) []tools.Tool {
	all := []tools.Tool{tools.ListEvidence(), tools.ReadEvidence(), tools.RequestContext(), tools.SearchEvidence()}
	if all = append(all, workspace.Tools()...); cfg.Tools.Commands {
		all = append(all, tools.RunCommand(time.Duration(cfg.Tools.CommandTimeout)))
	}
	return all
}

// Player is an engine as a front end sees it.
type Player struct {
	*engine.Engine
	models func(debate.Session) []agents.Profile // see Models
}

// Start plays what is next, see engine.Engine.Start.
func (p Player) Start(ctx context.Context, s debate.Session) control.Run {
	return p.Engine.Start(ctx, s)
}

// GoOn ends a round that only one seat answered, see engine.Engine.GoOn.
func (p Player) GoOn(ctx context.Context, s debate.Session) control.Run { return p.Engine.GoOn(ctx, s) }

// Retry runs a seat again, see engine.Engine.Retry.
func (p Player) Retry(ctx context.Context, s debate.Session, seat agents.ID) control.Run {
	return p.Engine.Retry(ctx, s, seat)
}

// Ask asks a follow-up question, see engine.Engine.Ask.
func (p Player) Ask(ctx context.Context, s debate.Session, to agents.ID, question string) control.Run {
	return p.Engine.Ask(ctx, s, to, question)
}

// Conclude writes the verdict, see engine.Engine.Conclude.
func (p Player) Conclude(ctx context.Context, s debate.Session) control.Run {
	return p.Engine.Conclude(ctx, s)
}

// Models returns the models that a seat of a session can take.
func (p Player) Models(s debate.Session) []agents.Profile { return p.models(s) }

// OpenClients returns the providers of a configuration. They are closed with the app.
func (a *App) OpenClients(ctx context.Context, cfg config.Config, pace time.Duration) *config.Clients {
	names := text.Each(BuiltinTools(cfg), func(t tools.Tool) string { return t.Spec.Name })
	c := config.NewClients(ctx, cfg, config.ClientOptions{
		Env: a.Env, CommandEnv: a.keyEnv, Log: a.Log, Pace: pace, Version: Version(),
		Guard: ownCommand(AgentGuard), Tools: names, NoCommands: a.NoCommands,
	})
	a.closeAtEnd(c)
	return c
}

// player returns what plays the sessions of a store, with the built-in tools. It is closed with
// the app.
func (a *App) player(s *store.Store, b Builder, c *config.Clients) Player {
	cfg := b.cfg
	o := faultyParts(engine.Options{
		Recorder: s, Provider: c.Provider, Tools: BuiltinTools(cfg),
		Now: a.Now, AskForBlock: cfg.Context.AskAgain,
		Local:      func(provider string) bool { return cfg.Local(provider, a.Env) },
		Workspaces: a.Workspaces(cfg).open, Env: a.toolEnvironment(cfg), AllowCommands: a.AllowCommands,
		OnRun: func(of debate.Session, runs bool) {
			if runs {
				c.Prepare(of.Upcoming().Speakers())
			}
			err := s.SetHolder(of.ID, func(h *debate.Holder) { h.Runs = runs })
			if err != nil { // only the lists of other processes miss it
				a.Log.Warn("say that a debate runs", "session", of.ID, "error", err)
			}
		},
		OnPanic: func(p *crash.Panic) { p.Log(a.Log) }, // the debate survives it: a seat, a tool or a round fails
	})
	o = a.withExternalTools(o, s, cfg)
	if a.Parts != nil {
		o = a.Parts(o)
	}
	e := engine.New(o)
	a.closeAtEnd(e)
	return Player{e, b.seatModels}
}

// AgentGuard is a command of this program that it starts itself: it ends what agents have
// started when this program is killed.
const AgentGuard = "agent-guard"

// ownCommand returns a command of this program; nil if it does not know its own path.
func ownCommand(name string) []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, name}
}
