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

// watched has every panic below the engine reported. The debate goes on: a seat
// has failed, a tool has, or a round.
func (a *app) withPanicReports(o engine.Options) engine.Options {
	o = faultyParts(o)
	o.Defect = a.reportPanic
	for i, t := range o.Tools {
		o.Tools[i] = reportingTool{t, a.reportPanic}
	}
	return o
}

// reported keeps the report of a panic that was survived.
func (a *app) reportPanic(p *crash.Panic) {
	path, err := p.Report(stateDir(), version(), a.now())
	if err != nil {
		a.log.Error("report a defect", "cause", err)
	}
	a.log.Error("defect", "what", p.What, "where", p.Where, "report", path)
}

// watchedTool tells of its panic and leaves it to whoever runs it.
type reportingTool struct {
	tools.Tool
	report func(*crash.Panic)
}

func (w reportingTool) Run(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
	defer func() {
		if p := crash.From(recover()); p != nil {
			w.report(p)
			panic(p)
		}
	}()
	return w.Tool.Run(ctx, tc, args)
}

// defect reports a panic that has ended the program and returns what the user is told.
func (a *app) fatalPanic(p *crash.Panic) error {
	path, err := p.Report(stateDir(), version(), a.now())
	if err != nil {
		return errors.Join(p, err)
	}
	return fmt.Errorf("%w. All that was saved is safe. A report without any text of yours is in %s", p, path)
}
