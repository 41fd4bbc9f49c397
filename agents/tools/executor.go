package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/agents"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

// Limits of one call.
const (
	Timeout   = 60 * time.Second // but of a tool with a limit of its own; without the time in which the user decides on a command
	MaxResult = 64 << 10         // bytes of its text
)

// Executor runs tool calls. Nothing else makes a Context.
type Executor struct {
	tools    []registeredTool // by name
	sources  Sources
	withheld map[string]string // reasons by name; these tools are not offered
}

// Sources are what an executor passes on to its tools.
type Sources struct {
	Requests   Requester
	Statements StatementReader // may be nil
	Evidence   EvidenceReader  // may be nil
	Workspaces Workspaces      // may be nil: tools that need a workspace do not exist then
	Approver   Approver        // may be nil
	Env        []string        // of programs that tools start, without HOME and TMPDIR

	Fence   func(label, text string) string // marks foreign text as data; may be nil
	OnPanic func(*crash.Panic)              // called for each panic of a tool; may be nil
	Work    func() (done func())            // see Context.Work; may be nil
}

type registeredTool struct {
	Tool
	schema *jsonschema.Resolved // nil: a server validates the arguments
	known  []string             // its arguments
}

var _ agents.Toolkit = (*Executor)(nil)

// NewExecutor returns an executor for the tools, without those that need a workspace if
// there is none. It fails if two have the same name or a schema is not valid.
func NewExecutor(from Sources, ts ...Tool) (*Executor, error) {
	e := &Executor{sources: from, withheld: map[string]string{}}
	for _, t := range ts {
		if t.NeedsWorkspace && from.Workspaces == nil {
			continue
		}
		t.Limit = cmp.Or(t.Limit, Timeout)
		one := registeredTool{Tool: t}
		if !t.Remote {
			var schema jsonschema.Schema
			err := json.Unmarshal(t.Spec.Schema, &schema)
			if err == nil {
				one.schema, err = schema.Resolve(nil)
			}
			if err != nil {
				return nil, fmt.Errorf("schema of tool %s: %w", t.Spec.Name, err)
			}
			one.known = slices.Sorted(maps.Keys(schema.Properties))
		}
		e.tools = append(e.tools, one)
	}
	slices.SortFunc(e.tools, func(a, b registeredTool) int { return strings.Compare(a.Spec.Name, b.Spec.Name) })
	for i := 1; i < len(e.tools); i++ {
		if e.tools[i].Spec.Name == e.tools[i-1].Spec.Name {
			return nil, fmt.Errorf("two tools are named %s", e.tools[i].Spec.Name)
		}
	}
	return e, nil
}

// Withhold stops offering a tool. A call of it gets the reason as its result. It must
// not be called once the executor is in use.
func (e *Executor) Withhold(name, reason string) { e.withheld[name] = reason }

// Specs returns the tools that are offered, sorted by name.
func (e *Executor) Specs() []agents.ToolSpec {
	var out []agents.ToolSpec
	for _, t := range e.tools {
		if _, ok := e.withheld[t.Spec.Name]; !ok {
			out = append(out, t.Spec)
		}
	}
	return out
}

// Execute implements agents.Toolkit.
func (e *Executor) Execute(ctx context.Context, turn agents.Turn, id string, call agents.ToolCall) agents.ToolResult {
	i := slices.IndexFunc(e.tools, func(t registeredTool) bool { return t.Spec.Name == call.Name })
	if i < 0 {
		return failed(agents.ToolError, fmt.Sprintf("There is no tool named %q. Available: %s.", abbreviate(call.Name), e.names()))
	}
	if reason := e.withheld[call.Name]; reason != "" {
		return failed(agents.ToolError, reason)
	}
	args, err := e.tools[i].arguments(call.Args)
	if err != nil {
		return failed(
			agents.ToolError,
			fmt.Sprintf("The arguments of %s are not valid: %s. Call it again with arguments that fit its schema.",
				call.Name, abbreviate(err.Error())),
		)
	}
	t := e.tools[i].Tool
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asking := &untimedApprover{Approver: e.sources.Approver, limit: t.Limit}
	asking.timer = time.AfterFunc(t.Limit, func() { cancel(errTimeout) })
	defer asking.timer.Stop()
	out, err := e.run(ctx, asking, t, turn, id, args)
	r := resultOf(ctx, call, t.Limit, out, err)
	r.Waited = asking.waited
	return r
}

func resultOf(ctx context.Context, call agents.ToolCall, limit time.Duration, out Output, err error) agents.ToolResult {
	var denied *DeniedError
	switch {
	case err == nil:
		return result(agents.ToolOK, out)
	case errors.As(err, &denied):
		return failed(agents.ToolDenied, denied.Error())
	case errors.Is(context.Cause(ctx), errTimeout):
		return result(agents.ToolError, out.after(fmt.Sprintf("%s did not finish within %s and was stopped.", call.Name, limit)))
	case ctx.Err() != nil:
		return result(agents.ToolAborted, out.after("The call was stopped."))
	case out.Text != "":
		return result(agents.ToolError, out)
	default:
		return failed(agents.ToolError, abbreviate(err.Error()))
	}
}

// after returns an output with what is said before it. It is all that is said in one line.
func (o Output) after(why string) Output {
	return Output{Text: strings.TrimRight(why+"\n"+o.Text, "\n"), Summary: why}
}

// result returns the result of a call. What tools return is cut already, see
// Context.Foreign; this is the limit for a tool that does not.
func result(status agents.ToolStatus, out Output) agents.ToolResult {
	const marks = 4 << 10 // room for notes and the lines of fences
	return agents.ToolResult{Status: status, Text: capped(out.Text, MaxResult+marks), Summary: out.Summary}
}

func (e *Executor) run(
	ctx context.Context, asking *untimedApprover, t Tool, turn agents.Turn, id string, args json.RawMessage,
) (Output, error) {
	tc := Context{Turn: turn, CallID: id, from: e.sources}
	if !t.NeedsWorkspace {
		return e.call(ctx, t, tc, args)
	}
	workspace, err := e.sources.Workspaces.Workspace(ctx, turn.Agent)
	if err != nil {
		return Output{}, fmt.Errorf("the workspace cannot be used: %w", err)
	}
	tc.Workspace = workspace
	if e.sources.Approver != nil {
		tc.Approver = asking
	}
	temp, err := e.sources.Workspaces.TempDir(id)
	if err != nil {
		return Output{}, err
	}
	defer os.Remove(temp) //nolint:errcheck // only an empty one is removed now
	home, err := e.sources.Workspaces.Home(turn.Agent)
	if err != nil {
		return Output{}, err
	}
	tc.TempDir, tc.Home = temp, home
	tc.Env = append(slices.Clip(e.sources.Env), "HOME="+home, "TMPDIR="+temp)
	return e.call(ctx, t, tc, args)
}

var errTimeout = errors.New("tool timed out")

func failed(status agents.ToolStatus, content string) agents.ToolResult {
	return agents.ToolResult{Status: status, Text: content, Summary: text.Clip(strings.Join(strings.Fields(content), " "), 1000)}
}

func capped(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const note = "\n[Cut here: %d of %d bytes are shown. Ask for less at once.]"
	at := limit - len(note) - 20
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + fmt.Sprintf(note, at, len(s))
}

// abbreviate keeps the beginning and the end of a long text. Errors quote what the
// model wrote, which may be of any length.
func abbreviate(s string) string {
	const side = 200
	r := []rune(s)
	if len(r) <= 2*side {
		return s
	}
	return string(r[:side]) + " … " + string(r[len(r)-side:])
}

func (e *Executor) names() string {
	names := text.Each(e.Specs(), func(s agents.ToolSpec) string { return s.Name })
	return cmp.Or(strings.Join(names, ", "), "none")
}

// claimedIdentity is an argument by which some models say who they are. It is ignored: who
// calls is known.
const claimedIdentity = "agent_id"

// arguments validates what the model wrote against the schema. An empty text means
// no arguments.
func (t registeredTool) arguments(raw string) (json.RawMessage, error) {
	if strings.TrimSpace(raw) == "" {
		raw = "{}"
	}
	var value any
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	object, ok := value.(map[string]any)
	if t.schema == nil {
		if !ok {
			return nil, errors.New("they are no object")
		}
		return json.RawMessage(raw), nil
	}
	if ok {
		maps.DeleteFunc(object, func(_ string, v any) bool { return v == nil }) // models leave an argument out with null, too
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if name != claimedIdentity && !slices.Contains(t.known, name) {
				return nil, fmt.Errorf("there is no argument %q; it takes %s", text.Label(name), cmp.Or(text.List(t.known), "none"))
			}
		}
	}
	if err := t.schema.Validate(value); err != nil {
		return nil, err
	}
	return json.RawMessage(raw), nil
}

func (e *Executor) call(ctx context.Context, t Tool, tc Context, args json.RawMessage) (out Output, err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if e.sources.OnPanic != nil {
			e.sources.OnPanic(crash.From(p))
		}
		err = fmt.Errorf("internal error in the tool: %v", p)
	}()
	return t.Run(ctx, tc, args)
}

// untimedApprover restarts the time limit of a call after the user has decided.
type untimedApprover struct {
	Approver
	timer  *time.Timer // ends the call
	limit  time.Duration
	waited time.Duration
}

// Approve implements Approver.
func (a *untimedApprover) Approve(ctx context.Context, turn agents.Turn, call string, c Command, in WorkspaceInfo) (Approval, error) {
	a.timer.Stop()
	began := time.Now()
	defer func() {
		a.waited += time.Since(began)
		a.timer.Reset(a.limit)
	}()
	return a.Approver.Approve(ctx, turn, call, c, in)
}

// Folder implements agents.Toolkit.
func (e *Executor) Folder(ctx context.Context, turn agents.Turn) (agents.Folder, error) {
	if e.sources.Workspaces == nil {
		return agents.Folder{}, nil
	}
	w, err := e.sources.Workspaces.Workspace(ctx, turn.Agent)
	if err != nil {
		return agents.Folder{}, fmt.Errorf("the workspace cannot be used: %w", err)
	}
	info := w.Info()
	return agents.Folder{Dir: info.Dir, ReadOnly: info.ReadOnly, Open: w.Open}, nil
}

// Approve implements agents.Toolkit. The user sees argv as a command.
func (e *Executor) Approve(ctx context.Context, turn agents.Turn, call agents.OwnCall, argv []string) (allowed bool, reason string) {
	if e.sources.Approver == nil {
		return false, "nobody can be asked"
	}
	var info WorkspaceInfo
	if e.sources.Workspaces != nil {
		w, err := e.sources.Workspaces.Workspace(ctx, turn.Agent)
		if err != nil {
			return false, err.Error()
		}
		info = w.Info()
	}
	if info.Dir == "" && call.Dir != "" {
		info = WorkspaceInfo{Dir: realPath(call.Dir), Own: true}
	}
	c := Command{Argv: argv}
	if call.Input != nil && len(argv) > 0 {
		c.Asked = newAsked(call.Input, argv, info)
	}
	if size := c.size(); size > maxCommand {
		return false, fmt.Sprintf("the call has %d bytes; %d is the most that the user is asked about", size, maxCommand)
	}
	a, err := e.sources.Approver.Approve(ctx, turn, call.ID, c, info)
	if err != nil {
		return false, err.Error()
	}
	return a.Allowed, a.Reason
}
