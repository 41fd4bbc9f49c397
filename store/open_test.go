package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// execute opens a file as any program could, without our care.
func execute(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := openRaw(t, path)
	for _, st := range statements {
		must.Get(db.Exec(st))(t)
	}
	must.Do(t, db.Close())
}

func openRaw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db := must.Get(sql.Open("sqlite3", "file:"+path))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	return db
}

// closedDatabase returns a folder with a database that holds one session, closed.
func closedDatabase(t *testing.T) (path, session string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	session = create(t, s).ID
	must.Do(t, s.Close())
	return path, session
}

func TestOpen_refusesWhatIsNoDatabaseOfOurs(t *testing.T) {
	t.Parallel()
	newer := fmt.Sprintf("a newer Roundtable made it (schema 99, this is %d). Nothing was changed. Update Roundtable.", store.Latest)
	// ours puts a database there that somebody has changed.
	ours := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, _ := closedDatabase(t)
			execute(t, db, statement)
			must.Do(t, os.Rename(db, path))
		}
	}
	// cut puts the beginning of a database there.
	cut := func(size func(int) int) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, _ := closedDatabase(t)
			whole := must.Get(os.ReadFile(db))(t)
			must.Do(t, os.WriteFile(path, whole[:size(len(whole))], 0o600))
		}
	}
	for _, c := range []struct {
		name  string
		put   func(t *testing.T, path string)
		cause string
	}{
		{"text", func(t *testing.T, path string) { must.Do(t, os.WriteFile(path, []byte("Dear diary"), 0o600)) }, "not a database"},
		{"long text", func(t *testing.T, path string) {
			must.Do(t, os.WriteFile(path, []byte(strings.Repeat("Dear diary. ", 10000)), 0o600))
		}, "not a database"},
		{"empty", func(t *testing.T, path string) { must.Do(t, os.WriteFile(path, nil, 0o600)) }, "empty"},
		{"foreign", func(t *testing.T, path string) { execute(t, path, "CREATE TABLE recipes (name TEXT)") }, "another program"},
		{"foreign with a log", func(t *testing.T, path string) {
			execute(t, path+".made", "PRAGMA journal_mode=WAL", "CREATE TABLE recipes (name TEXT)")
			must.Do(t, os.Rename(path+".made", path))
			must.Do(t, os.WriteFile(path+"-wal", []byte("not a log"), 0o600))
		}, "another program"},
		{"truncated", cut(func(n int) int { return n / 2 }), "truncated or damaged"},
		{"a stub of one", cut(func(int) int { return 60 }), "not a database"},
		{"folder", func(t *testing.T, path string) { must.Do(t, os.Mkdir(path, 0o700)) }, "a folder"},
		{"dangling link", func(t *testing.T, path string) { must.Do(t, os.Symlink(path+".nowhere", path)) }, "a link"},
		{"link to a database", func(t *testing.T, path string) {
			db, _ := closedDatabase(t)
			must.Do(t, os.Symlink(db, path))
		}, "a link"},
		{"with a trigger", ours("CREATE TRIGGER spy AFTER INSERT ON passages BEGIN DELETE FROM sessions; END"), "a trigger or a view"},
		{"without a version", ours("PRAGMA user_version = 0"), "cannot read its version"},
		{"newer", ours("PRAGMA user_version = 99"), newer},
		{"with a newer log", func(t *testing.T, path string) {
			db, _ := closedDatabase(t)
			must.Get(openRaw(t, db).Exec("PRAGMA user_version = 99"))(t) // it stays in the log while this is open
			for _, suffix := range []string{"", "-wal"} {
				must.Do(t, os.WriteFile(path+suffix, must.Get(os.ReadFile(db+suffix))(t), 0o600))
			}
		}, newer},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "roundtable.db")
			c.put(t, path)
			before, began := readAll(t, dir), time.Now()
			s, err := store.Open(t.Context(), path, store.Options{})
			if err == nil {
				t.Fatal("it opened", s.Close())
			}
			if !refused(err, path) || !strings.Contains(err.Error(), c.cause) || errors.Is(err, debate.ErrNewer) != (c.cause == newer) {
				t.Errorf("err = %v", err)
			}
			if took := time.Since(began); took > 5*time.Second { // half of what SQLite would wait for a lock
				t.Errorf("it took %v", took)
			}
			after := readAll(t, dir)
			delete(after, "/locks/roundtable.db.open") // a lock, which stays
			if c.cause == newer {
				delete(after, "/roundtable.db-shm")
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the folder changed: %s", diff)
			}
		})
	}
}

func TestOpen_isSafeByItsSettings(t *testing.T) {
	s := openNew(t)
	for name, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "3", "foreign_keys": "1", "trusted_schema": "0", "busy_timeout": "10000",
		"cell_size_check": "1", "application_id": fmt.Sprint(0x524e4454), "user_version": fmt.Sprint(store.Latest),
	} {
		for _, got := range store.Pragma(t.Context(), s, name) {
			if got != want {
				t.Errorf("%s is %s, not %s", name, got, want)
			}
		}
	}
}

func TestOpen_findsTheFileWhateverItsName(t *testing.T) {
	for _, name := range []string{
		"with space", "what?mode=memory", "a#b", "100%", "%20", "請求 système", "two\nlines", "a&b=c;d",
		"'quoted'", `back\slash`,
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, name, name+".db")
			s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
			d := must.Get(s.Create(t.Context(), panel()))(t)
			must.Do(t, s.Close())
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
			entries := must.Get(os.ReadDir(root))(t)
			if len(entries) != 1 {
				t.Errorf("it made %v", entries)
			}
			get(t, openAt(t, path), d.ID)
		})
	}
}

func TestOpen_checksTheFileAfterAnUncleanClose(t *testing.T) {
	path, id := closedDatabase(t)
	whole := must.Get(os.ReadFile(path))(t)
	damaged := append([]byte(nil), whole...)
	for i := 3 * 8192; i < 4*8192; i++ { // a page of a table or an index
		damaged[i] ^= 0x55
	}
	must.Do(t, os.WriteFile(path, damaged, 0o600))

	s := openAt(t, path)
	if s.ReadOnly() != "" || len(s.Notices()) > 0 {
		t.Error("it was closed cleanly and checked all the same")
	}
	var damage *store.DamagedError
	if err := store.Check(t.Context(), s); !errors.As(err, &damage) {
		t.Errorf("the check says %v", err)
	}
	must.Do(t, s.Close())

	must.Do(t, os.WriteFile(path+"-wal", []byte("a log of something"), 0o600))
	for range 2 { // it is not taken for whole when it is opened again
		s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
		if s.ReadOnly() != "the database is damaged" || len(s.Notices()) != 1 || !strings.Contains(s.Notices()[0], "damaged") {
			t.Errorf("read-only because %q, notices %q", s.ReadOnly(), s.Notices())
		}
		var save *store.SaveError
		if err := s.Rename(t.Context(), id, "x"); !errors.As(err, &save) {
			t.Errorf("it writes: %v", err)
		}
		must.Do(t, s.Close())
	}
}

func TestOpen_madeByManyAtOnceIsOneDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "roundtable.db")
	errs := make(chan error)
	for range 8 {
		go func() {
			s, err := store.Open(context.WithoutCancel(t.Context()), path, store.Options{})
			if err == nil {
				_, err = s.Create(context.WithoutCancel(t.Context()), panel())
				err = errors.Join(err, s.Close())
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	all := must.Get(openAt(t, path).Sessions(t.Context(), store.Query{}))(t)
	if len(all) != 8 {
		t.Errorf("%d sessions", len(all))
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestOpen_takesBackAnUnfinishedChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.WithRollback(store.Options{})))(t)
	id := create(t, s).ID
	playRound(t, s, id, 1)
	want := get(t, s, id)
	must.Do(t, s.Close())

	db := openRaw(t, path)
	db.SetMaxOpenConns(1)
	for _, st := range []string{"PRAGMA cache_size = 1", "BEGIN", "UPDATE turns SET said = hex(zeroblob(100000))", "DELETE FROM rounds"} {
		must.Get(db.Exec(st))(t)
	}
	copied := filepath.Join(t.TempDir(), "roundtable.db") // as a crash leaves it now
	for _, suffix := range []string{"", "-journal"} {
		whole := must.Get(os.ReadFile(path + suffix))(t)
		must.Do(t, os.WriteFile(copied+suffix, whole, 0o600))
	}
	s = openWith(t, copied, store.WithRollback(store.Options{}))
	if diff := cmp.Diff(want, get(t, s, id)); diff != "" {
		t.Error(diff)
	}
	must.Do(t, store.Check(t.Context(), s))
}

// What SQLite says may quote what is stored: no error shows it.
func TestErrors_showNoWordsOfTheDatabase(t *testing.T) {
	for name, statement := range map[string]string{
		"a table that is gone":  "DROP TABLE turns",
		"a column that is gone": "ALTER TABLE sessions RENAME COLUMN topic TO secret_word",
		"a trigger that fails":  "CREATE TRIGGER t BEFORE INSERT ON sessions BEGIN SELECT raise(ABORT, 'secret_word ' || NEW.topic); END",
	} {
		path, id := closedDatabase(t)
		s := openAt(t, path)
		execute(t, path, "PRAGMA foreign_keys=OFF", statement)
		_, read := s.Session(t.Context(), id)
		_, made := s.Create(t.Context(), panel())
		_, listed := s.Sessions(t.Context(), store.Query{Text: "secret_word"})
		said := fmt.Sprint(read, made, listed)
		if strings.ContainsAny(said, "\n") || strings.Contains(said, "no such") || strings.Contains(said, "secret_word") || strings.Contains(said, "turns") {
			t.Errorf("%s: %s", name, said)
		}
		if !strings.Contains(said, "The database refused a statement (SQLite error ") {
			t.Errorf("%s: nothing was refused: %s", name, said)
		}
	}
}

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
