package acp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

func (t *turn) newSession(a *agent) error {
	p := a.seat.provider
	ctx, cancel := a.limited(t.life)
	defer cancel(nil)
	var servers []sdk.McpServer
	if len(t.specs) > 0 && a.hello.AgentCapabilities.McpCapabilities.Http {
		if t.tools == nil {
			tools, err := p.tools.open(t, p.options.Version)
			if err != nil {
				cause := fmt.Sprintf("%s cannot reach the tools of the debate: %v.", p.name, err)
				return &agents.Failure{Kind: agents.KindInternal, Cause: cause, Err: err}
			}
			t.tools = tools
		}
		servers = append(servers, t.tools.address)
	}
	session, err := a.newSession(ctx, t.folder.Dir, servers...)
	if err != nil {
		return err
	}
	if session.SessionId == "" {
		return &agents.Failure{Kind: agents.KindMalformed, Cause: p.name + " started a session without an id."}
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
	req := sdk.SetSessionModeRequest{SessionId: session.SessionId, ModeId: wanted}
	if err := t.agent.conn.SendRequestNoResult(ctx, sdk.AgentMethodSessionSetMode, req); err != nil {
		return t.agent.explain(ctx, err, "when its mode was set")
	}
	return nil
}

// newSession begins a session. The error is a *agents.Failure.
func (a *agent) newSession(ctx context.Context, dir string, servers ...sdk.McpServer) (sdk.NewSessionResponse, error) {
	req := sdk.NewSessionRequest{Cwd: dir, McpServers: append([]sdk.McpServer{}, servers...)}
	session, err := sdk.SendRequest[sdk.NewSessionResponse](a.conn, ctx, sdk.AgentMethodSessionNew, req)
	if err != nil {
		return session, a.explain(ctx, err, "when a session was started")
	}
	return session, nil
}

func (t *turn) setModel(ctx context.Context, session sdk.NewSessionResponse) error {
	wanted := t.request.Model
	current, offered := modelsOf(session)
	if wanted == "" || wanted == agents.DefaultModel {
		return t.noProvider(offered)
	}
	switch {
	case current == wanted:
		return nil
	case !slices.Contains(offered, wanted):
		return t.noModel(offered)
	}
	method, req := sdk.AgentMethodSessionSetModel, any(sdk.UnstableSetSessionModelRequest{
		SessionId: session.SessionId, ModelId: sdk.UnstableModelId(wanted),
	})
	if option := modelOption(session.ConfigOptions); option != nil {
		method, req = sdk.AgentMethodSessionSetConfigOption, sdk.SetSessionConfigOptionValueId{
			SessionId: session.SessionId, ConfigId: option.Id, Value: sdk.SessionConfigValueId(wanted),
		}
	}
	if err := t.agent.conn.SendRequestNoResult(ctx, method, req); err != nil {
		return t.agent.explain(ctx, err, "when the model was set")
	}
	return nil
}

const maxOffered = 20

// noProvider fails where nothing but free models is offered: the agent would try one of its
// maker's for minutes, or send the debate there.
func (t *turn) noProvider(offered []string) error {
	p := t.agent.seat.provider
	free := func(model string) bool {
		return slices.ContainsFunc(p.config.Free, func(pattern string) bool { ok, _ := path.Match(pattern, model); return ok })
	}
	if len(offered) == 0 || slices.ContainsFunc(offered, func(m string) bool { return !free(m) }) {
		return nil
	}
	return &agents.Failure{
		Kind:  agents.KindAuth,
		Cause: p.name + " has no provider, and nothing to offer but free models of its maker.",
		Remedy: fmt.Sprintf("Run `%s` in a terminal, or choose one of these models for the seat, such as %s.", p.config.SignIn,
			text.Label(offered[0])),
	}
}

func (t *turn) noModel(offered []string) *agents.Failure {
	name, wanted := t.agent.seat.provider.name, text.Label(t.request.Model)
	f := &agents.Failure{
		Kind: agents.KindModel, Remedy: fmt.Sprintf("Set model = %q to use what the agent is set to.", agents.DefaultModel),
	}
	if len(offered) == 0 {
		f.Cause = fmt.Sprintf("%s does not support choosing the model, so %q cannot be set.", name, wanted)
		return f
	}
	list := text.Each(offered[:min(len(offered), maxOffered)], text.Label)
	if len(offered) > maxOffered {
		list = append(list, "...")
	}
	f.Cause = fmt.Sprintf("%s has no model %q. It offers: %s.", name, wanted, strings.Join(list, ", "))
	f.Remedy = "Set model of the seat to one of these. " + f.Remedy
	return f
}

func modelsOf(session sdk.NewSessionResponse) (current string, offered []string) {
	if option := modelOption(session.ConfigOptions); option != nil {
		var all []sdk.SessionConfigSelectOption
		if option.Options.Ungrouped != nil {
			all = *option.Options.Ungrouped
		} else if option.Options.Grouped != nil {
			for _, g := range *option.Options.Grouped {
				all = append(all, g.Options...)
			}
		}
		values := text.Each(all, func(v sdk.SessionConfigSelectOption) string { return string(v.Value) })
		return string(option.CurrentValue), values
	}
	if session.Models == nil {
		return "", nil
	}
	offered = text.Each(session.Models.AvailableModels, func(m sdk.ModelInfo) string { return string(m.ModelId) })
	return string(session.Models.CurrentModelId), offered
}

// Models starts the program of the agent, lists the models that it offers and ends it
// again. It asks nothing of a model. An agent that offers no choice has an empty list.
func (p *Provider) Models(ctx context.Context) ([]agents.ModelInfo, error) {
	s := newSeat(p)
	defer s.close()
	var all []agents.ModelInfo
	err := s.begin(ctx, false, func(a *agent) error {
		limited, cancel := a.limited(ctx)
		defer cancel(nil)
		session, err := a.newSession(limited, a.program.Dir)
		if err != nil {
			return err
		}
		_, offered := modelsOf(session)
		for _, m := range offered {
			all = append(all, agents.ModelInfo{Name: m})
		}
		return nil
	})
	return all, err
}

func modelOption(options []sdk.SessionConfigOption) *sdk.SessionConfigOptionSelect {
	for _, o := range options {
		if s := o.Select; s != nil && (s.Id == "model" || s.Category != nil && *s.Category == sdk.SessionConfigOptionCategoryModel) {
			return s
		}
	}
	return nil
}

// maxAsking bounds the requests of an agent that are being answered at a time.
const maxAsking = 10_000

// handle answers a request of the agent. Files are not written for agents, and they get no terminals.
func (a *agent) handle(ctx context.Context, method string, params json.RawMessage) (any, *sdk.RequestError) {
	switch method {
	case sdk.ClientMethodFsReadTextFile:
		var req sdk.ReadTextFileRequest
		if err := cmp.Or(json.Unmarshal(params, &req), req.Validate()); err != nil {
			return nil, invalidParams(err)
		}
		return a.readTextFile(req)
	case sdk.ClientMethodSessionRequestPermission:
		var req sdk.RequestPermissionRequest
		if err := cmp.Or(json.Unmarshal(params, &req), req.Validate()); err != nil {
			return nil, invalidParams(err)
		}
		return sdk.RequestPermissionResponse{Outcome: a.permission(ctx, req)}, nil
	}
	return nil, sdk.NewMethodNotFound(method)
}

func invalidParams(err error) *sdk.RequestError {
	return sdk.NewInvalidParams(map[string]any{"error": err.Error()})
}

// turnOf returns the turn of a session, nil if it has ended.
func (a *agent) turnOf(id sdk.SessionId) *turn {
	if t := a.turn.Load(); t != nil && t.isSession(id) {
		return t
	}
	return nil
}

// enter returns nil if the turn has ended. Else it does not end until leave is called, and the
// agent's silence is not timed.
func (t *turn) enter() (leave func()) {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || t.requests >= maxAsking {
		return nil
	}
	t.requests++
	t.asking.Add(1)
	return func() {
		t.mu.Lock()
		t.requests--
		t.mu.Unlock()
		t.wake()
		t.asking.Done()
	}
}

const maxFile = 2 << 20

const resourceNotFound = -32002

// readTextFile reads a file in the folder of the turn.
func (a *agent) readTextFile(req sdk.ReadTextFileRequest) (any, *sdk.RequestError) {
	t := a.turnOf(req.SessionId)
	leave := t.enter()
	if leave == nil {
		return nil, sdk.NewInvalidRequest(map[string]any{"error": "there is no such session under way"})
	}
	defer leave()
	t.reading.Lock()
	content, err := t.read(req.Path)
	t.reading.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &sdk.RequestError{Code: resourceNotFound, Message: "Resource not found", Data: map[string]any{"uri": req.Path}}
	}
	if err != nil {
		return nil, invalidParams(err)
	}
	return sdk.ReadTextFileResponse{Content: linesOf(content, req.Line, req.Limit)}, nil
}

func (t *turn) read(path string) (string, error) {
	name, ok := t.below(path)
	if !ok {
		return "", fmt.Errorf("%s is not in the working folder", path)
	}
	if secret.File(filepath.ToSlash(name)) {
		return "", fmt.Errorf("%s looks as if it held keys or passwords", path)
	}
	root, err := t.folder.Open()
	if err != nil {
		return "", err
	}
	defer root.Close() //nolint:errcheck // it was only read
	switch info, err := root.Stat(name); {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a file", path)
	}
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was only read
	raw, err := text.ReadAll(path, f, maxFile)
	return string(raw), err
}

func linesOf(content string, first, limit *int) string {
	lines := strings.SplitAfter(content, "\n")
	if first != nil {
		lines = lines[min(max(*first-1, 0), len(lines)):]
	}
	if limit != nil {
		lines = lines[:min(max(*limit, 0), len(lines))]
	}
	return strings.Join(lines, "")
}

// permission says whether the agent may do something.
func (a *agent) permission(ctx context.Context, req sdk.RequestPermissionRequest) sdk.RequestPermissionOutcome {
	t := a.turnOf(req.SessionId)
	leave := t.enter()
	if leave == nil {
		return sdk.NewRequestPermissionOutcomeCancelled()
	}
	defer leave()
	ctx, cancel := within(ctx, t.life)
	defer cancel(nil)
	kinds := []sdk.PermissionOptionKind{sdk.PermissionOptionKindRejectOnce, sdk.PermissionOptionKindRejectAlways}
	if allowed, reason := t.permits(ctx, req); allowed {
		kinds = []sdk.PermissionOptionKind{sdk.PermissionOptionKindAllowOnce}
	} else {
		t.deny(req.ToolCall.ToolCallId, reason)
	}
	for _, kind := range kinds {
		for _, o := range req.Options {
			if o.Kind == kind {
				return sdk.NewRequestPermissionOutcomeSelected(o.OptionId)
			}
		}
	}
	return sdk.NewRequestPermissionOutcomeCancelled()
}
