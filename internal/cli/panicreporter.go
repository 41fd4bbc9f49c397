package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"roundtable/debate/engine"
	"roundtable/internal/crash"
)

// panicReporter writes reports of panics into the state folder.
type panicReporter struct {
	folder string
	log    *slog.Logger
	now    func() time.Time
}

// watch adds a report to every panic in the engine and its tools. The debate
// survives them: a seat, a tool or a round fails.
func (r panicReporter) watch(o engine.Options) engine.Options {
	o = faultyParts(o)
	o.OnPanic = r.report
	return o
}

// report writes the report of a panic that the debate survives.
func (r panicReporter) report(p *crash.Panic) {
	path, err := p.Report(r.folder, version(), r.now())
	if err != nil {
		r.log.Error("report a defect", "cause", err)
	}
	r.log.Error("defect", "what", p.What, "where", p.Where, "report", path)
}

// fatal writes the report of a panic that ends the program, and returns the error for
// the user.
func (r panicReporter) fatal(p *crash.Panic) error {
	path, err := p.Report(r.folder, version(), r.now())
	if err != nil {
		return errors.Join(p, err)
	}
	return fmt.Errorf("%w. Everything that was saved is safe. A report without any of your text is in %s", p, path)
}
