package crash_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"roundtable/internal/crash"
)

const canary = "sk-canary-0123456789"

func TestGo_handsThePanicOver(t *testing.T) {
	got := make(chan *crash.Panic)
	crash.Go(func() { panic("the key is " + canary) }, func(p *crash.Panic) { got <- p })
	p := <-got
	if !strings.Contains(p.Error(), "panic of type string at crash_test.go:") {
		t.Errorf("got %q, want the type of the value and the line", p.Error())
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

func TestReport_holdsNoText(t *testing.T) {
	for _, value := range []any{"prompt " + canary, errors.New(canary), struct{ Prompt string }{canary}, []string{canary}} {
		p := caught(value)
		folder := filepath.Join(t.TempDir(), "state", "roundtable")
		at := time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC)
		path, err := p.Report(folder, "1.2.3", at)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		if strings.Contains(text, canary) || strings.Contains(p.Error(), canary) {
			t.Errorf("a report on %T quotes the value", value)
		}
		for _, want := range []string{"1.2.3", "2026-03-01T12:00:00Z", "crash_test.go", runtime.Version()} {
			if !strings.Contains(text, want) {
				t.Errorf("the report lacks %q:\n%s", want, text)
			}
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, want 0600", info.Mode().Perm())
		}
		if _, err := p.Report(folder, "1.2.3", at); err == nil {
			t.Error("a second report replaced the first")
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
