// Package crash contains panics: a panic of a goroutine becomes an error instead of the
// end of the program, and the error can be logged without any text of the debate.
//
// It imports only the standard library, and every package may import it. It must not
// know sessions or screens, and it has no state.
package crash

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
)

// Panic is a recovered panic. It keeps only the type of the value passed to panic, which
// may quote a prompt or a key, and the message of runtime errors, which cannot.
type Panic struct {
	What  string // the message of a runtime error, or the type of the value
	Stack string
}

// Error returns what happened. The log has the stack.
func (p *Panic) Error() string { return "a defect in Roundtable: " + p.What }

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
	p := &Panic{What: fmt.Sprintf("panic of type %T", recovered), Stack: string(debug.Stack())}
	var known runtime.Error
	if err, ok := recovered.(error); ok && errors.As(err, &known) {
		p.What = known.Error()
	}
	return p
}

// Log writes what happened and where into the log, which has no text of the debate.
func (p *Panic) Log(log *slog.Logger) {
	log.Error("defect", "what", p.What, "stack", p.Stack)
}

// Fatal is Log for a panic that ends the program, and returns the error for the user.
func (p *Panic) Fatal(log *slog.Logger) error {
	p.Log(log)
	return fmt.Errorf("%w. Everything that was saved is safe. roundtable.log in the state folder says where, "+
		"without any of your text", p)
}
