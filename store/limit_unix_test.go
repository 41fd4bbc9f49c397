//go:build unix

package store_test

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func init() { roles["limited"] = runIntoALimit }

// runIntoALimit writes notices to the session args[1] of the database args[0]
// until the system lets no file grow any more; then it lifts the limit and goes on.
func runIntoALimit(ctx context.Context, args []string) error {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := store.Open(ctx, args[0], store.Options{})
	if err != nil {
		return err
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		return err
	}
	tight := was
	tight.Cur = 1 << 20
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &tight); err != nil {
		return err
	}
	n, text := 0, strings.Repeat("x", 50_000)
	for ; err == nil; n++ {
		err = s.Note(ctx, args[1], debate.Notice{Code: fmt.Sprint(n), Text: text})
	}
	fmt.Println("refused:", err)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		return err
	}
	err = s.Note(ctx, args[1], debate.Notice{Code: fmt.Sprint(n - 1), Text: text})
	fmt.Println("saved:", n)
	return errors.Join(err, store.Check(ctx, s), s.Close())
}

func TestSave_aLimitOnFilesIsSaidAndNothingIsLost(t *testing.T) {
	path, id := closedDatabase(t)
	out := must.Get(child(t, "limited", path, id).Output())(t)
	if !strings.Contains(string(out), "refused: Cannot save: file too large") {
		t.Errorf("it printed %s", out)
	}
	var saved int
	_, last, _ := strings.Cut(string(out), "saved:")
	if _, err := fmt.Sscan(last, &saved); err != nil {
		t.Fatal(err)
	}
	notices := get(t, openAt(t, path), id).Notices
	if len(notices) != saved {
		t.Errorf("%d notices, %d were saved", len(notices), saved)
	}
	for i, n := range notices {
		if n.Code != fmt.Sprint(i) {
			t.Errorf("notice %d is %s", i, n.Code)
		}
	}
}
