package acp

import (
	"context"
	"fmt"
	"io"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
)

// client answers what an agent asks of us.
type client struct{ agent *agent }

var _ sdk.Client = client{}

// turnOf returns the turn that a session belongs to, nil if it has ended. The turn does
// not end before leave is called; its watchdog stands meanwhile.
func (c client) turnOf(id sdk.SessionId) (t *turn, leave func()) {
	t = c.agent.turn.Load()
	if t == nil || !t.isSession(id) {
		return nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return nil, nil
	}
	t.asking.Add(1)
	t.watch.pause()
	return t, func() {
		t.watch.resume()
		t.asking.Done()
	}
}

// SessionUpdate does nothing: the lineReader delivers news.
func (c client) SessionUpdate(context.Context, sdk.SessionNotification) error { return nil }

// maxFile is how much of a file is read at once, in bytes.
const maxFile = 2 << 20

// ReadTextFile reads a file in the folder of the turn.
func (c client) ReadTextFile(ctx context.Context, req sdk.ReadTextFileRequest) (sdk.ReadTextFileResponse, error) {
	t, leave := c.turnOf(req.SessionId)
	if t == nil {
		return sdk.ReadTextFileResponse{}, sdk.NewInvalidRequest(map[string]any{"error": "there is no such session under way"})
	}
	defer leave()
	content, err := t.read(req.Path)
	if err != nil {
		return sdk.ReadTextFileResponse{}, sdk.NewInvalidParams(map[string]any{"error": err.Error()})
	}
	return sdk.ReadTextFileResponse{Content: linesOf(content, req.Line, req.Limit)}, nil
}

// read returns the text of a file below the folder of the turn.
func (t *turn) read(path string) (string, error) {
	name, ok := t.below(path)
	if !ok {
		return "", fmt.Errorf("%s is not in the working folder", path)
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
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return "", err
	case len(raw) > maxFile:
		return "", fmt.Errorf("%s has more than %d MB", path, maxFile>>20)
	}
	return string(raw), nil
}

// linesOf returns some lines of a text, from the first-th line on, which is 1.
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
	if t.permits(ctx, req.ToolCall) {
		kinds = []sdk.PermissionOptionKind{sdk.PermissionOptionKindAllowOnce}
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
