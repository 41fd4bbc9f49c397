package acp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/text"
)

// DefaultModel is the name of the model that the agent's own settings choose.
const DefaultModel = "default"

// newSession makes the session of the turn, with our tools and the model of the seat.
func (t *turn) newSession(life context.Context, p *Provider) error {
	a := t.agent
	ctx, cancel := a.limited(p.config.Start)
	defer cancel(nil)
	defer context.AfterFunc(life, func() { cancel(context.Cause(life)) })()
	req := sdk.NewSessionRequest{Cwd: t.folder.Dir, McpServers: []sdk.McpServer{}}
	if t.kit != nil && len(t.kit.Specs()) > 0 {
		t.tools = p.tools.open(life, p.options.Version, t.kit.Specs(), t.call)
		server, err := p.tools.mcpServer(t.tools, a.hello.AgentCapabilities.McpCapabilities.Http, p.options.Bridge)
		if err != nil {
			return &agents.Failure{
				Kind: agents.KindInternal, Unprocessed: true, Err: err,
				Cause: fmt.Sprintf("%s cannot reach the tools of the debate: %v.", p.name, err),
			}
		}
		req.McpServers = append(req.McpServers, server)
	}
	session, err := a.conn.NewSession(ctx, req)
	if err != nil {
		f := a.explain(ctx, err, "when a session was started")
		f.Unprocessed = true
		if f.Kind == agents.KindSilence { // nothing is known of its state
			a.stop()
		}
		return f
	}
	if session.SessionId == "" {
		return &agents.Failure{Kind: agents.KindMalformed, Cause: p.name + " started a session without an id.", Unprocessed: true}
	}
	t.mu.Lock()
	t.session = session.SessionId
	t.mu.Unlock()
	if err := t.setMode(ctx, session); err != nil {
		return err
	}
	return t.setModel(ctx, session)
}

// setMode sets the mode of a session in which the agent asks before it acts, where it has
// that mode. An agent that stays in another one is not asked anything.
func (t *turn) setMode(ctx context.Context, session sdk.NewSessionResponse) error {
	wanted := sdk.SessionModeId(t.agent.seat.provider.config.Mode)
	if session.Modes == nil || session.Modes.CurrentModeId == wanted ||
		!slices.ContainsFunc(session.Modes.AvailableModes, func(m sdk.SessionMode) bool { return m.Id == wanted }) {
		return nil
	}
	_, err := t.agent.conn.SetSessionMode(ctx, sdk.SetSessionModeRequest{SessionId: session.SessionId, ModeId: wanted})
	if err != nil {
		f := t.agent.explain(ctx, err, "when its mode was set")
		f.Unprocessed = true
		return f
	}
	return nil
}

// call runs a call of one of our tools. The agent waits for it meanwhile.
func (t *turn) call(ctx context.Context, c agents.ToolCall) agents.ToolResult {
	t.watch.pause()
	defer t.watch.resume()
	return t.kit.Execute(ctx, t.id, "", c)
}

// setModel sets the model of the seat, where the agent lets us choose one.
func (t *turn) setModel(ctx context.Context, session sdk.NewSessionResponse) error {
	wanted := t.request.Model
	if wanted == "" || wanted == DefaultModel {
		return nil
	}
	current, offered := modelsOf(session)
	var set func() error
	if option := modelOption(session.ConfigOptions); option != nil {
		set = func() error {
			_, err := t.agent.conn.SetSessionConfigOption(ctx, sdk.SetSessionConfigOptionRequest{
				ValueId: &sdk.SetSessionConfigOptionValueId{
					SessionId: session.SessionId, ConfigId: option.Id, Value: sdk.SessionConfigValueId(wanted),
				},
			})
			return err
		}
	} else if session.Models != nil {
		set = func() error {
			_, err := t.agent.conn.UnstableSetSessionModel(ctx, sdk.UnstableSetSessionModelRequest{
				SessionId: session.SessionId, ModelId: sdk.UnstableModelId(wanted),
			})
			return err
		}
	}
	switch {
	case current == wanted:
		return nil
	case set == nil || !slices.Contains(offered, wanted):
		return t.noModel(offered)
	}
	if err := set(); err != nil {
		f := t.agent.explain(ctx, err, "when the model was set")
		f.Unprocessed = true
		return f
	}
	return nil
}

// maxOffered is how many models a failure lists.
const maxOffered = 20

// noModel is the failure of a turn whose model the agent does not offer.
func (t *turn) noModel(offered []string) *agents.Failure {
	name, wanted := t.agent.seat.provider.name, text.Label(t.request.Model)
	f := &agents.Failure{Kind: agents.KindModel, Unprocessed: true, Remedy: fmt.Sprintf("Set model = %q to use what the agent is set to.",
		DefaultModel)}
	if len(offered) == 0 {
		f.Cause = fmt.Sprintf("%s does not let others choose its model, so %q cannot be set.", name, wanted)
		return f
	}
	var list []string
	for _, m := range offered[:min(len(offered), maxOffered)] {
		list = append(list, text.Label(m))
	}
	more := ""
	if n := len(offered) - len(list); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	likely := text.DidYouMean(t.request.Model, offered)
	if likely == "" {
		likely = "."
	}
	f.Cause = fmt.Sprintf("%s has no model %q%s It offers: %s%s.", name, wanted, likely, strings.Join(list, ", "), more)
	f.Remedy = "Set model of the seat to one of these. " + f.Remedy
	return f
}

// modelsOf returns the model of a session and those that it can be set to.
func modelsOf(session sdk.NewSessionResponse) (current string, offered []string) {
	if option := modelOption(session.ConfigOptions); option != nil {
		return string(option.CurrentValue), valuesOf(option.Options)
	}
	if session.Models == nil {
		return "", nil
	}
	for _, m := range session.Models.AvailableModels {
		offered = append(offered, string(m.ModelId))
	}
	return string(session.Models.CurrentModelId), offered
}

// Models starts the program of the agent, lists the models that it offers and ends it
// again. It asks nothing of a model. An agent that offers no choice has an empty list.
func (p *Provider) Models(ctx context.Context) ([]agents.ModelInfo, error) {
	s := newSeat(p)
	defer s.close()
	a, err := s.running(ctx)
	if err != nil {
		return nil, err
	}
	limited, cancel := a.limited(p.config.Start)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
	session, err := a.conn.NewSession(limited, sdk.NewSessionRequest{Cwd: a.program.Dir, McpServers: []sdk.McpServer{}})
	if err != nil {
		return nil, a.explain(limited, err, "when a session was started")
	}
	_, offered := modelsOf(session)
	var all []agents.ModelInfo
	for _, m := range offered {
		all = append(all, agents.ModelInfo{Name: m})
	}
	return all, nil
}

// modelOption returns the option that chooses the model, nil if there is none.
func modelOption(options []sdk.SessionConfigOption) *sdk.SessionConfigOptionSelect {
	for _, o := range options {
		if s := o.Select; s != nil && (s.Id == "model" || s.Category != nil && *s.Category == sdk.SessionConfigOptionCategoryModel) {
			return s
		}
	}
	return nil
}

// valuesOf returns what an option can be set to.
func valuesOf(o sdk.SessionConfigSelectOptions) []string {
	var all []string
	add := func(options []sdk.SessionConfigSelectOption) {
		for _, v := range options {
			all = append(all, string(v.Value))
		}
	}
	if o.Ungrouped != nil {
		add(*o.Ungrouped)
	}
	if o.Grouped != nil {
		for _, g := range *o.Grouped {
			add(g.Options)
		}
	}
	return all
}
