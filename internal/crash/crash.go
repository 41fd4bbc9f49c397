// Package crash contains panics: a panic of a goroutine becomes an error instead of the
// end of the program, and the error can be written to a report that has no text of
// the debate.
//
// It imports only the standard library, and every package may import it. It must not
// know sessions or screens, and it has no state.
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

// Panic is a recovered panic. It keeps only the type of the value passed to panic, which
// may quote a prompt or a key, and the message of runtime errors, which cannot.
type Panic struct {
	What  string // the message of a runtime error, or the type of the value
	Where string // file and line of the code that panicked
	Stack string
}

// Error returns what happened and where.
func (p *Panic) Error() string {
	return fmt.Sprintf("a defect in Roundtable: %s at %s", p.What, p.Where)
}

// Catch adds a panic of the calling function to its error. Use it as
// defer crash.Catch(&err).
func Catch(err *error) {
	if p := From(recover()); p != nil {
		*err = errors.Join(*err, p)
	}
}

// Go runs f in a new goroutine. If f panics, failed is called in that goroutine.
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

// From returns a Panic for the result of recover; nil if there was no panic. The deferred
// function itself has to call it, while the stack of the panic exists.
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

// where returns the frame below the runtime's panic frames.
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

// Report writes the panic to a new file in folder that only its owner can read, and
// returns the file's path. The report names version and at.
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
