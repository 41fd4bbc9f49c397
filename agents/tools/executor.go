package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/agents"
)

// Timeout bounds how long one call may take.
const Timeout = 60 * time.Second

// Executor runs tool calls. Nothing else makes a Context.
type Executor struct {
	tools    []registeredTool // by name
	sources  Sources
	withheld map[string]string // reasons by name
}

// Sources are what an executor passes on to its tools.
type Sources struct {
	Requests   Requester
	Statements StatementReader // may be nil
	Evidence   EvidenceReader  // may be nil
	Workspaces Workspaces      // may be nil
	Approver   Approver        // may be nil

	Fence func(label, text string) string // marks foreign text as data; may be nil
}

type registeredTool struct {
	tool   Tool
	spec   agents.ToolSpec
	schema *jsonschema.Resolved
}

var _ agents.Toolkit = (*Executor)(nil)

// NewExecutor returns an executor for the tools. It fails if two have the same name
// or a schema is not valid.
func NewExecutor(from Sources, ts ...Tool) (*Executor, error) {
	e := &Executor{sources: from, withheld: map[string]string{}}
	for _, t := range ts {
		spec := t.Spec()
		var schema jsonschema.Schema
		if err := json.Unmarshal(spec.Schema, &schema); err != nil {
			return nil, fmt.Errorf("schema of tool %s: %w", spec.Name, err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			return nil, fmt.Errorf("schema of tool %s: %w", spec.Name, err)
		}
		e.tools = append(e.tools, registeredTool{t, spec, resolved})
	}
	slices.SortFunc(e.tools, func(a, b registeredTool) int { return strings.Compare(a.spec.Name, b.spec.Name) })
	for i := 1; i < len(e.tools); i++ {
		if e.tools[i].spec.Name == e.tools[i-1].spec.Name {
			return nil, fmt.Errorf("two tools are named %s", e.tools[i].spec.Name)
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
		if _, ok := e.withheld[t.spec.Name]; !ok {
			out = append(out, t.spec)
		}
	}
	return out
}

// Execute implements agents.Toolkit.
func (e *Executor) Execute(ctx context.Context, turn agents.Turn, id string, call agents.ToolCall) agents.ToolResult {
	if reason, ok := e.withheld[call.Name]; ok {
		return failed(agents.ToolError, reason)
	}
	i := slices.IndexFunc(e.tools, func(t registeredTool) bool { return t.spec.Name == call.Name })
	if i < 0 {
		return failed(agents.ToolError, fmt.Sprintf("There is no tool named %q. Available: %s.", abbreviate(call.Name), e.names()))
	}
	args, err := e.tools[i].arguments(call.Args)
	if err != nil {
		return failed(
			agents.ToolError,
			fmt.Sprintf("The arguments of %s are not valid: %s. Call it again with arguments that fit its schema.",
				call.Name, abbreviate(err.Error())),
		)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, Timeout, errTimeout)
	defer cancel()
	out, err := run(ctx, e.tools[i].tool, e.context(turn, id), args)
	switch {
	case err == nil:
		return agents.ToolResult{Status: agents.ToolOK, Text: out.Text, Summary: out.Summary}
	case errors.Is(context.Cause(ctx), errTimeout):
		return failed(agents.ToolError, fmt.Sprintf("%s did not finish within %s and was stopped.", call.Name, Timeout))
	case ctx.Err() != nil:
		return failed(agents.ToolAborted, "The call was stopped.")
	case out.Text != "":
		return agents.ToolResult{Status: agents.ToolError, Text: out.Text, Summary: out.Summary}
	default:
		return failed(agents.ToolError, abbreviate(err.Error()))
	}
}

// context returns what a tool may know about a call.
func (e *Executor) context(turn agents.Turn, id string) Context {
	return Context{
		Turn: turn, CallID: id,
		Requests: e.sources.Requests, Statements: e.sources.Statements, Evidence: e.sources.Evidence, Fence: e.sources.Fence,
	}
}

var errTimeout = errors.New("tool timed out")

func failed(status agents.ToolStatus, text string) agents.ToolResult {
	return agents.ToolResult{Status: status, Text: text, Summary: strings.Join(strings.Fields(text), " ")}
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
	var names []string
	for _, s := range e.Specs() {
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

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
	if err := t.schema.Validate(value); err != nil {
		return nil, err
	}
	return json.RawMessage(raw), nil
}

// run runs the tool and turns a panic into an error.
func run(ctx context.Context, t Tool, tc Context, args json.RawMessage) (out Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error in the tool: %v", p)
		}
	}()
	return t.Run(ctx, tc, args)
}
