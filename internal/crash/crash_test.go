package crash_test

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"roundtable/internal/crash"
)

const canary = "sk-canary-0123456789"

func TestGo_handsThePanicOver(t *testing.T) {
	got := make(chan *crash.Panic)
	crash.Go(func() { panic("the key is " + canary) }, func(p *crash.Panic) { got <- p })
	p := <-got
	if p.Error() != "a defect in Roundtable: panic of type string" || !strings.Contains(p.Stack, "crash_test.go:") {
		t.Errorf("got %q with the stack %s", p.Error(), p.Stack)
	}
}

func TestGo_leavesAQuietFunctionAlone(t *testing.T) {
	done := make(chan bool)
	crash.Go(func() { close(done) }, func(p *crash.Panic) { t.Errorf("reported %v", p) })
	<-done
}

func TestCatch_turnsAPanicIntoTheError(t *testing.T) {
	fault := errors.New("was there before")
	err := func() (err error) {
		defer crash.Catch(&err)
		err = fault
		var list []int
		_ = list[len(os.Args)+7]
		return err
	}()
	var p *crash.Panic
	if !errors.As(err, &p) || !strings.Contains(p.What, "index out of range") {
		t.Fatalf("got %v, want the runtime's words", err)
	}
	if !errors.Is(err, fault) {
		t.Errorf("the earlier error is lost: %v", err)
	}
}

func TestCatch_leavesAnErrorAlone(t *testing.T) {
	fault := errors.New("fault")
	err := func() (err error) {
		defer crash.Catch(&err)
		return fault
	}()
	if err != fault {
		t.Errorf("got %v", err)
	}
}

func TestLog_holdsNoText(t *testing.T) {
	for _, value := range []any{"prompt " + canary, errors.New(canary), struct{ Prompt string }{canary}, []string{canary}} {
		p := caught(value)
		var logged strings.Builder
		err := p.Fatal(slog.New(slog.NewTextHandler(&logged, nil)))
		if strings.Contains(logged.String(), canary) || strings.Contains(err.Error(), canary) {
			t.Errorf("the log of %T quotes the value", value)
		}
		if !strings.Contains(logged.String(), "crash_test.go") || !errors.Is(err, p) {
			t.Errorf("%v; the log says\n%s", err, logged.String())
		}
	}
}

func caught(value any) *crash.Panic {
	err := func() (err error) {
		defer crash.Catch(&err)
		panic(value)
	}()
	var p *crash.Panic
	errors.As(err, &p)
	return p
}
