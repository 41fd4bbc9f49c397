// Package crash keeps a defect in one goroutine from taking the program, the
// terminal and the session with it: a panic becomes an error, and the error can
// be written to a report that holds no text of the debate.
//
// It imports the standard library only, and everybody may import it. It knows
// nothing of sessions and screens, and keeps no state.
package crash

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Panic is a recovered panic. What was passed to panic may quote a prompt or a
// key, so only its type is kept; the runtime's own errors, which quote nothing
// but numbers and types, are kept whole.
type Panic struct {
	What  string // the runtime's own words, or the type of the value
	Where string // file and line of the code that panicked
	Stack string
}

// Error says what happened and where.
func (p *Panic) Error() string {
	return fmt.Sprintf("a defect in Roundtable: %s at %s", p.What, p.Where)
}

// Catch turns a panic of the surrounding function into its error. It is called
// by defer: defer crash.Catch(&err).
func Catch(err *error) {
	if p := From(recover()); p != nil {
		*err = errors.Join(*err, p)
	}
}

// Go runs f in a goroutine of its own. A panic of f goes to failed, which runs
// in that goroutine.
func Go(f func(), failed func(*Panic)) {
	go func() {
		defer func() {
			if p := From(recover()); p != nil {
				failed(p)
			}
		}()
		f()
	}()
}

// From makes a Panic of what recover returned; nil when there was no panic. It
// is called by the deferred function itself, while the stack of the panic is there.
func From(recovered any) *Panic {
	if recovered == nil {
		return nil
	}
	if p, ok := recovered.(*Panic); ok {
		return p
	}
	p := &Panic{What: fmt.Sprintf("panic of type %T", recovered), Stack: string(debug.Stack())}
	var known runtime.Error
	if err, ok := recovered.(error); ok && errors.As(err, &known) {
		p.What = known.Error()
	}
	p.Where = where()
	return p
}

// where finds the frame below the runtime's own panic frames.
func where() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	panicking := false
	for {
		f, more := frames.Next()
		runtimes := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !runtimes {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		panicking = panicking || runtimes && strings.Contains(f.Function, "panic")
		if !more {
			return "an unknown place"
		}
	}
}

// Report writes the panic to a new file of its own in folder, which only its
// owner can read, and returns the file's path. Version and at go into it.
func (p *Panic) Report(folder, version string, at time.Time) (path string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("write crash report: %w", err)
	}
	name := "crash-" + at.UTC().Format("20060102T150405.000000000") + ".txt"
	path = filepath.Join(folder, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("write crash report: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("write crash report: %w", cerr)
		}
	}()
	_, err = io.WriteString(f, p.text(version, at))
	if err != nil {
		return "", fmt.Errorf("write crash report: %w", err)
	}
	return path, nil
}

func (p *Panic) text(version string, at time.Time) string {
	return fmt.Sprintf("Roundtable %s, %s %s/%s, %s\n%s at %s\nThis report holds no prompt, no answer and no key.\n\n%s",
		version, runtime.Version(), runtime.GOOS, runtime.GOARCH, at.UTC().Format(time.RFC3339), p.What, p.Where, p.Stack)
}
