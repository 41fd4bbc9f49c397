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

// Timeout is how long one call may take.
const Timeout = 60 * time.Second

// Executor runs tool calls. It is the only place that builds a Context.
type Executor struct {
	tools    []entry // by name
	requests Requester
	evidence EvidenceReader
	withheld map[string]string
}

type entry struct {
	tool   Tool
	spec   agents.ToolSpec
	schema *jsonschema.Resolved
}

var _ agents.Toolkit = (*Executor)(nil)

// NewExecutor returns an executor for the tools. It fails where two share a
// name or a schema is not one.
func NewExecutor(requests Requester, ts ...Tool) (*Executor, error) {
	e := &Executor{requests: requests, withheld: map[string]string{}}
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
		e.tools = append(e.tools, entry{t, spec, resolved})
	}
	slices.SortFunc(e.tools, func(a, b entry) int { return strings.Compare(a.spec.Name, b.spec.Name) })
	for i := 1; i < len(e.tools); i++ {
		if e.tools[i].spec.Name == e.tools[i-1].spec.Name {
			return nil, fmt.Errorf("two tools are named %s", e.tools[i].spec.Name)
		}
	}
	return e, nil
}

// Withhold takes a tool out of what is offered; a call all the same gets the
// reason. It is for setting up, before the executor is handed out.
func (e *Executor) Withhold(name, reason string) { e.withheld[name] = reason }

// Let has the tools read what the members said. It is for setting up, before the
// executor is handed out.
func (e *Executor) Let(r EvidenceReader) { e.evidence = r }

// Specs returns what is offered, by name: the same set is the same bytes.
func (e *Executor) Specs() []agents.ToolSpec {
	var out []agents.ToolSpec
	for _, t := range e.tools {
		if _, ok := e.withheld[t.spec.Name]; !ok {
			out = append(out, t.spec)
		}
	}
	return out
}

// Execute runs one call for the agent of the turn.
func (e *Executor) Execute(ctx context.Context, turn agents.Turn, id string, call agents.ToolCall) agents.ToolResult {
	if reason, ok := e.withheld[call.Name]; ok {
		return failed(agents.ToolError, reason)
	}
	i := slices.IndexFunc(e.tools, func(t entry) bool { return t.spec.Name == call.Name })
	if i < 0 {
		return failed(agents.ToolError, fmt.Sprintf("There is no tool named %q. There are: %s.", shortened(call.Name), e.names()))
	}
	args, err := e.tools[i].arguments(call.Args)
	if err != nil {
		return failed(agents.ToolError, fmt.Sprintf("The arguments of %s are not valid: %s. Call it again with arguments that fit its schema.", call.Name, shortened(err.Error())))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, Timeout, errTimeout)
	defer cancel()
	out, err := run(ctx, e.tools[i].tool, Context{Turn: turn, CallID: id, Requests: e.requests, Evidence: e.evidence}, args)
	switch {
	case err == nil:
		return agents.ToolResult{Status: agents.ToolOK, Text: out.Text, Summary: out.Summary}
	case errors.Is(context.Cause(ctx), errTimeout):
		return failed(agents.ToolError, fmt.Sprintf("%s did not end within %s and was stopped.", call.Name, Timeout))
	case ctx.Err() != nil:
		return failed(agents.ToolAborted, "The call was stopped.")
	default:
		return failed(agents.ToolError, shortened(err.Error()))
	}
}

var errTimeout = errors.New("tool timed out")

func failed(status agents.ToolStatus, text string) agents.ToolResult {
	return agents.ToolResult{Status: status, Text: text, Summary: strings.Join(strings.Fields(text), " ")}
}

// shortened keeps the beginning and the end of a text, since errors quote what
// the model wrote, however long it is.
func shortened(s string) string {
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

// arguments checks what the model wrote against the schema. Nothing at all means no arguments.
func (t entry) arguments(raw string) (json.RawMessage, error) {
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

// run calls the tool and turns a panic in it into an error.
func run(ctx context.Context, t Tool, tc Context, args json.RawMessage) (out Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the tool failed inside: %v", p)
		}
	}()
	return t.Run(ctx, tc, args)
}
