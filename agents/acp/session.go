package acp

import (
	"context"
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

func (t *turn) newSession(life context.Context, p *Provider) error {
	a := t.agent
	ctx, cancel := a.limited(p.config.Start)
	defer cancel(nil)
	defer context.AfterFunc(life, func() { cancel(context.Cause(life)) })()
	req := sdk.NewSessionRequest{Cwd: t.folder.Dir, McpServers: []sdk.McpServer{}}
	t.offered = t.kit != nil && len(t.kit.Specs()) > 0
	if t.offered && a.hello.AgentCapabilities.McpCapabilities.Http {
		if t.tools == nil {
			t.tools = p.tools.open(life, p.options.Version, t.kit.Specs(), t.call)
		}
		server, err := p.tools.mcpServer(t.tools)
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

// call runs one of our tools; the agent is waiting for it, so its silence is not timed.
func (t *turn) call(ctx context.Context, c agents.ToolCall) agents.ToolResult {
	t.watch.pause()
	defer t.watch.resume()
	c.Args = t.agent.seat.provider.mask.Mask(c.Args)
	return t.kit.Execute(ctx, t.id, "", c)
}

func (t *turn) setModel(ctx context.Context, session sdk.NewSessionResponse) error {
	wanted := t.request.Model
	current, offered := modelsOf(session)
	if wanted == "" || wanted == agents.DefaultModel {
		return t.noProvider(offered)
	}
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
		Kind: agents.KindAuth, Unprocessed: true,
		Cause: p.name + " has no provider, and nothing to offer but free models of its maker.",
		Remedy: fmt.Sprintf("Run `%s` in a terminal, or choose one of these models for the seat, such as %s.", p.config.SignIn,
			text.Label(offered[0])),
	}
}

func (t *turn) noModel(offered []string) *agents.Failure {
	name, wanted := t.agent.seat.provider.name, text.Label(t.request.Model)
	f := &agents.Failure{Kind: agents.KindModel, Unprocessed: true, Remedy: fmt.Sprintf("Set model = %q to use what the agent is set to.",
		agents.DefaultModel)}
	if len(offered) == 0 {
		f.Cause = fmt.Sprintf("%s does not support choosing the model, so %q cannot be set.", name, wanted)
		return f
	}
	var list []string
	for _, m := range offered[:min(len(offered), maxOffered)] {
		list = append(list, text.Label(m))
	}
	if len(offered) > maxOffered {
		list = append(list, "...")
	}
	f.Cause = fmt.Sprintf("%s has no model %q. It offers: %s.", name, wanted, strings.Join(list, ", "))
	f.Remedy = "Set model of the seat to one of these. " + f.Remedy
	return f
}

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
	var all []agents.ModelInfo
	err := s.begin(ctx, false, func(a *agent) error {
		limited, cancel := a.limited(p.config.Start)
		defer cancel(nil)
		defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
		session, err := a.conn.NewSession(limited, sdk.NewSessionRequest{Cwd: a.program.Dir, McpServers: []sdk.McpServer{}})
		if err != nil {
			return a.explain(limited, err, "when a session was started")
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

// maxAsking bounds the requests of an agent that are being answered at a time.
const maxAsking = 10_000

type client struct{ agent *agent }

var _ sdk.Client = client{}

// turnOf returns the turn of a session, nil if it has ended. Until leave is called the
// turn does not end and its watchdog is paused.
func (c client) turnOf(id sdk.SessionId) (t *turn, leave func()) {
	t = c.agent.turn.Load()
	if t == nil || !t.isSession(id) {
		return nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || t.requests >= maxAsking {
		return nil, nil
	}
	t.requests++
	t.asking.Add(1)
	t.watch.pause()
	return t, func() {
		t.watch.resume()
		t.mu.Lock()
		t.requests--
		t.mu.Unlock()
		t.asking.Done()
	}
}

// SessionUpdate does nothing: the lineReader delivers updates.
func (c client) SessionUpdate(context.Context, sdk.SessionNotification) error { return nil }

const maxFile = 2 << 20

const resourceNotFound = -32002

// ReadTextFile reads a file in the folder of the turn.
func (c client) ReadTextFile(ctx context.Context, req sdk.ReadTextFileRequest) (sdk.ReadTextFileResponse, error) {
	t, leave := c.turnOf(req.SessionId)
	if t == nil {
		return sdk.ReadTextFileResponse{}, sdk.NewInvalidRequest(map[string]any{"error": "there is no such session under way"})
	}
	defer leave()
	t.reading.Lock()
	content, err := t.read(req.Path)
	t.reading.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		return sdk.ReadTextFileResponse{}, &sdk.RequestError{Code: resourceNotFound, Message: "Resource not found", Data: map[string]any{
			"uri": req.Path,
		}}
	}
	if err != nil {
		return sdk.ReadTextFileResponse{}, sdk.NewInvalidParams(map[string]any{"error": err.Error()})
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

// RequestPermission says whether the agent may do something.
func (c client) RequestPermission(ctx context.Context, req sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error) {
	cancelled := sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}
	t, leave := c.turnOf(req.SessionId)
	if t == nil {
		return cancelled, nil
	}
	defer leave()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-t.done:
			cancel()
		case <-stop:
		}
	}()
	kinds := []sdk.PermissionOptionKind{sdk.PermissionOptionKindRejectOnce, sdk.PermissionOptionKindRejectAlways}
	if allowed, reason := t.permits(ctx, req); allowed {
		kinds = []sdk.PermissionOptionKind{sdk.PermissionOptionKindAllowOnce}
	} else {
		t.deny(req.ToolCall.ToolCallId, reason)
	}
	for _, kind := range kinds {
		for _, o := range req.Options {
			if o.Kind == kind {
				return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(o.OptionId)}, nil
			}
		}
	}
	return cancelled, nil
}

// WriteTextFile refuses: files are not written for agents.
func (client) WriteTextFile(context.Context, sdk.WriteTextFileRequest) (r sdk.WriteTextFileResponse, err error) {
	return r, sdk.NewMethodNotFound(sdk.ClientMethodFsWriteTextFile)
}

// CreateTerminal refuses: agents get no terminals.
func (client) CreateTerminal(context.Context, sdk.CreateTerminalRequest) (r sdk.CreateTerminalResponse, err error) {
	return r, sdk.NewMethodNotFound(sdk.ClientMethodTerminalCreate)
}

// KillTerminal refuses: agents get no terminals.
func (client) KillTerminal(context.Context, sdk.KillTerminalRequest) (r sdk.KillTerminalResponse, err error) {
	return r, sdk.NewMethodNotFound(sdk.ClientMethodTerminalKill)
}

// TerminalOutput refuses: agents get no terminals.
func (client) TerminalOutput(context.Context, sdk.TerminalOutputRequest) (r sdk.TerminalOutputResponse, err error) {
	return r, sdk.NewMethodNotFound(sdk.ClientMethodTerminalOutput)
}

// ReleaseTerminal refuses: agents get no terminals.
func (client) ReleaseTerminal(context.Context, sdk.ReleaseTerminalRequest) (r sdk.ReleaseTerminalResponse, err error) {
	return r, sdk.NewMethodNotFound(sdk.ClientMethodTerminalRelease)
}

// WaitForTerminalExit refuses: agents get no terminals.
func (client) WaitForTerminalExit(context.Context, sdk.WaitForTerminalExitRequest) (r sdk.WaitForTerminalExitResponse, err error) {
	return r, sdk.NewMethodNotFound(sdk.ClientMethodTerminalWaitForExit)
}
