package acp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/text"
)

func (p *Provider) startFailure(err error) *agents.Failure {
	program := text.Label(text.Command(p.config.Command))
	f := &agents.Failure{Kind: agents.KindConfig, Err: err}
	var path *fs.PathError
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		f.Cause = fmt.Sprintf("The program of %s was not found: %s.", p.name, program)
		f.Remedy = fmt.Sprintf("Install it, or set command of [providers.%s] to its path.", p.name)
	case errors.As(err, &path):
		f.Cause = fmt.Sprintf("The program of %s could not be started: %s: %v.", p.name, program, path.Err)
	default:
		f.Cause = fmt.Sprintf("The program of %s could not be started: %s.", p.name, text.Clip(text.Line(err.Error()), maxQuote))
	}
	return f
}

const stderrLines = 3

const authRequired = -32000

// explain returns the failure of a request to the agent; when is a clause such as "while
// it started", ctx the context of the request.
func (a *agent) explain(ctx context.Context, err error, when string) *agents.Failure {
	name := a.seat.provider.name
	f := &agents.Failure{Kind: agents.KindTruncated, Err: err}
	var answered *sdk.RequestError
	switch broken := a.lines.failure(); {
	case broken != nil:
		f.Kind, f.Cause = agents.KindMalformed, fmt.Sprintf("%s was stopped %s: %s.", name, when, broken)
		f.Remedy = "Update the agent; if that does not help, use another one."
	case errors.Is(context.Cause(ctx), errSlow):
		f.Kind, f.Cause = agents.KindSilence, fmt.Sprintf("%s did not answer in time %s.%s", name, when, a.printed())
	case a.hasClosed():
		f.Cause = fmt.Sprintf("%s ended %s: %s.", name, when, strings.TrimSuffix(a.cause(), "."))
	case errors.As(err, &answered) && answered.Code == authRequired:
		return a.notSignedIn(answered)
	case errors.As(err, &answered):
		f.Kind, f.Cause = agents.KindRequest, fmt.Sprintf("%s reported an error %s: %s.", name, when,
			strings.TrimSuffix(wordsOf(answered), "."))
	default:
		f.Cause = fmt.Sprintf("%s failed %s: %s.", name, when, text.Clip(text.Line(err.Error()), maxQuote))
	}
	return f
}

// hasClosed reports whether the agent has closed the connection; its process may still
// be ending.
func (a *agent) hasClosed() bool {
	if a.lines.failure() != nil {
		return true
	}
	select {
	case <-a.life.Done():
		return true
	case <-a.conn.Done():
		return true
	case <-a.program.Done():
		return true
	case <-a.program.Stdin.Failed():
		return true
	default:
		return false
	}
}

// stderr returns the last lines that the agent printed, masked.
func (a *agent) stderr() string { return a.seat.provider.mask.Mask(a.program.Stderr(stderrLines)) }

// printed returns a sentence about the last lines that the agent printed, with a space before it.
func (a *agent) printed() string {
	if last := a.stderr(); last != "" {
		return " It printed: " + last
	}
	return ""
}

func (a *agent) cause() string {
	if a.program.Ended(time.Second) {
		return a.seat.provider.mask.Mask(a.program.Cause(stderrLines))
	}
	if last := a.stderr(); last != "" {
		return "it closed the connection: " + last
	}
	return "it closed the connection"
}

func (a *agent) notSignedIn(answered *sdk.RequestError) *agents.Failure {
	p := a.seat.provider
	f := &agents.Failure{
		Kind: agents.KindAuth, Unprocessed: true, Err: answered,
		Cause: fmt.Sprintf("%s is not signed in: %s.", p.name, strings.TrimSuffix(wordsOf(answered), ".")),
	}
	f.Remedy = fmt.Sprintf("Run `%s` in a terminal and sign in.", cmp.Or(p.config.SignIn, text.Label(p.config.Command[0])))
	if p.config.With != "" {
		f.Remedy += fmt.Sprintf(" It needs %s.", p.config.With)
	}
	if variable := p.keyNotPassed(wordsOf(answered)); variable != "" {
		f.Remedy += fmt.Sprintf(" Or pass it %s, which is set here: env_add = [%q] in [providers.%s].", variable, variable, p.name)
	}
	return f
}

// keyNotPassed returns a variable with a key that is set here and that the program does
// not get: one that its words name, or one of Config.Keys; "" if it gets all of them.
func (p *Provider) keyNotPassed(words string) string {
	variables := regexp.MustCompile(`[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_(KEY|TOKEN)\b`)
	for _, name := range slices.Concat(variables.FindAllString(words, -1), p.config.Keys) {
		if value, ok := p.options.Env(name); ok && value != "" && !slices.Contains(p.config.passed(), name) {
			return name
		}
	}
	return ""
}

func wordsOf(e *sdk.RequestError) string {
	words := text.Line(e.Message)
	if more := detailOf(e.Data); more != "" && !strings.Contains(words, more) {
		words = strings.TrimSuffix(words, ".") + ": " + more
	}
	return text.Clip(words, maxQuote)
}

func detailOf(data any) string {
	switch data := data.(type) {
	case string:
		return text.Line(data)
	case map[string]any:
		for _, key := range []string{"details", "detail", "message", "error"} {
			if words, ok := data[key].(string); ok && words != "" {
				return text.Line(words)
			}
		}
		raw, err := json.Marshal(data)
		if _, list := data["authMethods"]; len(data) > 0 && err == nil && !list { // Qwen Code repeats its ways to sign in
			return text.Line(string(raw))
		}
	}
	return ""
}
