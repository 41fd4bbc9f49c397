package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"roundtable/agents/tools"
	"roundtable/debate/engine"
	"roundtable/internal/crash"
)

// withPanicReports adds a report to every panic in the engine and its tools. The debate
// survives them: a seat, a tool or a round fails.
func (a *app) withPanicReports(o engine.Options) engine.Options {
	o = faultyParts(o)
	o.OnPanic = a.reportPanic
	for i, t := range o.Tools {
		o.Tools[i] = reportingTool{t, a.reportPanic}
	}
	return o
}

// reportPanic writes the report of a panic that the debate survives.
func (a *app) reportPanic(p *crash.Panic) {
	path, err := p.Report(stateDir(), version(), a.now())
	if err != nil {
		a.log.Error("report a defect", "cause", err)
	}
	a.log.Error("defect", "what", p.What, "where", p.Where, "report", path)
}

// reportingTool is a tool that reports its panics and panics again.
type reportingTool struct {
	tools.Tool
	report func(*crash.Panic)
}

// Run runs the tool.
func (w reportingTool) Run(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
	defer func() {
		if p := crash.From(recover()); p != nil {
			w.report(p)
			panic(p)
		}
	}()
	return w.Tool.Run(ctx, tc, args)
}

// fatalPanic writes the report of a panic that ends the program, and returns the error for
// the user.
func (a *app) fatalPanic(p *crash.Panic) error {
	path, err := p.Report(stateDir(), version(), a.now())
	if err != nil {
		return errors.Join(p, err)
	}
	return fmt.Errorf("%w. Everything that was saved is safe. A report without any of your text is in %s", p, path)
}
