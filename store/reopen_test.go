package store_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func init() { roles["reopen"] = reopenForAWhile }

// reopenForAWhile opens the database args[0], makes it grow and closes it, over
// and over; whoever closes it last puts the log's pages into the file.
func reopenForAWhile(ctx context.Context, args []string) error {
	long, err := time.ParseDuration(args[2])
	if err != nil {
		return err
	}
	for began, n := time.Now(), 0; time.Since(began) < long; n++ {
		s, err := store.Open(ctx, args[0], store.Options{})
		if err != nil {
			return err
		}
		if err := s.Note(ctx, args[1], debate.Notice{Code: fmt.Sprint(n), Text: strings.Repeat("x", 200_000)}); err != nil {
			return err
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

// A database that others open, fill and close at the same time is never taken for
// a damaged one.
func TestOpen_readsAFileThatOthersAreClosing(t *testing.T) {
	t.Parallel()
	path, id := closedDatabase(t)
	var peers []*exec.Cmd
	for range 4 {
		c := child(t, "reopen", path, id, "500ms")
		must.Do(t, c.Start())
		peers = append(peers, c)
	}
	for _, c := range peers {
		if err := c.Wait(); err != nil {
			t.Errorf("one of them could not go on: %v", err)
		}
	}
	must.Do(t, store.Check(t.Context(), openAt(t, path)))
}

// A process that is killed while it takes the log's pages into the file leaves a
// first page that promises more of them than there are. The log has them.
func TestOpen_goesOnWhereTakingTheLogInWasCutOff(t *testing.T) {
	path, id := closedDatabase(t)
	before := must.Get(os.ReadFile(path))(t)
	s := openAt(t, path)
	must.Do(t, s.Note(t.Context(), id, debate.Notice{Code: "n", Text: strings.Repeat("x", 200_000)}))
	wal := must.Get(os.ReadFile(path + "-wal"))(t)
	must.Do(t, s.Close())
	after := must.Get(os.ReadFile(path))(t)
	if len(after) <= len(before) || len(wal) == 0 {
		t.Fatalf("the file had %d bytes and has %d, the log %d", len(before), len(after), len(wal))
	}
	torn := filepath.Join(t.TempDir(), "roundtable.db")
	const page = 8192
	must.Do(t, os.WriteFile(torn, append(after[:page:page], before[page:]...), 0o600))
	must.Do(t, os.WriteFile(torn+"-wal", wal, 0o600))

	s = openAt(t, torn)
	must.Do(t, store.Check(t.Context(), s))
	if n := get(t, s, id).Notices; len(n) != 1 || len(n[0].Text) != 200_000 {
		t.Errorf("%d notices", len(n))
	}
}
