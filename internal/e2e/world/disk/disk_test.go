//go:build cgo && linux

package disk_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mattn/go-sqlite3"

	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/e2e/world/disk"
	"roundtable/internal/file"
	"roundtable/internal/testing/must"
)

// options are how a database is opened.
type options struct{ journal, synchronous string }

var safe = options{"WAL", "FULL"}

func (o options) open(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db := must.Get(sql.Open("sqlite3", fmt.Sprintf("file:%s?_journal_mode=%s&_synchronous=%s&_txlock=immediate",
		filepath.Join(dir, "test.db"), o.journal, o.synchronous)))(t)
	db.SetMaxOpenConns(1)
	return db
}

// write adds rows until one fails or the machine dies, and returns how many were acknowledged.
func write(d *disk.Disk, db *sql.DB, from, n int) int {
	for i := from; i < from+n; i++ {
		_, err := db.Exec("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, text); INSERT INTO t VALUES (?, ?)",
			i, strings.Repeat("x", i*997%20_000))
		if err != nil || d.Dead() {
			return i
		}
	}
	return from + n
}

// found returns how many rows there are, and what is wrong.
func found(db *sql.DB) (n int, err error) {
	var check string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
		return 0, fmt.Errorf("integrity_check: %s %w", check, err)
	}
	err = db.QueryRow("SELECT count(*) FROM t").Scan(&n)
	if err != nil && strings.Contains(err.Error(), "no such table") {
		return 0, nil
	}
	return n, err
}

// play writes, dies, and looks, three times over. It returns what was lost.
func play(t *testing.T, o options, seed uint64) (log string, trouble error) {
	t.Helper()
	dir := t.TempDir()
	d := disk.Watch(dir)
	defer d.Close()
	r := rand.New(rand.NewPCG(seed, 1))
	seen, acknowledged := 0, 0 // what a killed program wrote is seen, and durable only with the next transaction
	for range 3 {
		db := o.open(t, dir)
		d.DieAfter(1 + r.IntN(120))
		if n := write(d, db, seen, 40); n > seen {
			seen, acknowledged = n, n
		}
		d.DieAfter(0)
		_ = db.Close()
		log += must.Get(d.Restart(r, r.IntN(4) > 0))(t) + "\n"
		db = o.open(t, dir)
		n, err := found(db)
		if closed := db.Close(); err == nil {
			err = closed
		}
		if err == nil && (n < acknowledged || n > seen+1) {
			err = fmt.Errorf("%d rows of %d", n, acknowledged)
		}
		if err != nil {
			return log, err
		}
		seen = n
	}
	return log, nil
}

func TestRestart_keepsWhatWasAcknowledged(t *testing.T) {
	for _, c := range []struct {
		options
		loses bool
	}{
		{options{"WAL", "FULL"}, false},
		{options{"WAL", "NORMAL"}, true},
		{options{"WAL", "OFF"}, true},
		{options{"DELETE", "EXTRA"}, false},
		{options{"DELETE", "FULL"}, true}, // the removal of the journal is the commit, and it is not synced
		{options{"DELETE", "OFF"}, true},
		{options{"TRUNCATE", "FULL"}, false},
	} {
		t.Run(c.journal+" "+c.synchronous, func(t *testing.T) {
			t.Parallel()
			const seeds = 50
			torn := false
			for seed := range uint64(seeds) {
				log, trouble := play(t, c.options, seed)
				torn = torn || strings.Contains(log, " torn:")
				switch {
				case trouble != nil && c.loses:
					t.Logf("seed %d: %v", seed, trouble)
					return
				case trouble != nil:
					t.Fatalf("seed %d: %v\n%s", seed, trouble, log)
				}
			}
			if c.loses {
				t.Errorf("nothing was lost in %d seeds", seeds)
			}
			if !torn {
				t.Error("nothing was torn")
			}
		})
	}
}

func TestRestart_isRepeatable(t *testing.T) {
	for seed := range uint64(3) {
		first, _ := play(t, safe, seed)
		if second, _ := play(t, safe, seed); first != second {
			t.Errorf("seed %d: first %s\nthen %s", seed, first, second)
		}
	}
}

func TestFail_leavesASoundDatabase(t *testing.T) {
	for _, c := range []struct {
		kind file.Kind
		err  error
		code sqlite3.ErrNo
		more sqlite3.ErrNoExtended
	}{
		{file.Write, syscall.ENOSPC, sqlite3.ErrFull, 13},
		{file.Write, syscall.EIO, sqlite3.ErrIoErr, sqlite3.ErrIoErrWrite},
		{file.Sync, syscall.EIO, sqlite3.ErrIoErr, sqlite3.ErrIoErrFsync},
		{file.Create, syscall.EIO, sqlite3.ErrCantOpen, 14},
	} {
		t.Run(fmt.Sprintf("%s %v", c.kind, c.err), func(t *testing.T) {
			for seed := range uint64(5) {
				dir := t.TempDir()
				d := disk.Watch(dir)
				defer d.Close()
				r := rand.New(rand.NewPCG(seed, 2))
				db := safe.open(t, dir)
				n := 0
				if c.kind != file.Create {
					n = write(d, db, 0, 5)
				}
				left := r.IntN(4)
				d.Fail(func(op disk.Op) error {
					if op.Kind != c.kind {
						return nil
					}
					if left--; left < 0 || c.kind == file.Create {
						return c.err
					}
					return nil
				})
				var err error
				for ; err == nil; n++ {
					_, err = db.Exec("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, text); INSERT INTO t VALUES (?, '')", n)
				}
				var e sqlite3.Error
				if !errors.As(err, &e) || e.Code != c.code || e.ExtendedCode != c.more {
					t.Fatalf("got %#v", err)
				}
				d.Fail(nil)
				d.DieAfter(0)
				_ = db.Close()
				must.Get(d.Restart(r, true))(t)
				db = safe.open(t, dir)
				if got, err := found(db); err != nil || got < n-1 || got > n {
					t.Errorf("seed %d: %d rows of %d, %v", seed, got, n-1, err)
				}
				_ = db.Close()
			}
		})
	}
}

// folders leaves out the syncs of folders, or not.
type folders struct {
	*disk.Disk
	synced bool
}

func (f folders) Record(op file.Op, data []byte) (bool, error) {
	if op.Kind == file.SyncFolder && !f.synced {
		return true, nil
	}
	return f.Disk.Record(op, data)
}

// fill writes a new file and syncs it.
func fill(r file.Recorder, path, content string) error {
	_, err := r.Record(file.Op{Kind: file.Write, Path: path, Size: int64(len(content))}, []byte(content))
	if err == nil {
		err = os.WriteFile(path, []byte(content), 0o600)
	}
	if err == nil {
		_, err = r.Record(file.Op{Kind: file.Sync, Path: path}, nil)
	}
	return err
}

// TestRestart_losesNames replaces a file as programs do.
func TestRestart_losesNames(t *testing.T) {
	for _, syncs := range []bool{false, true} {
		got := map[string]int{}
		for seed := range uint64(100) {
			dir := t.TempDir()
			path, temp := filepath.Join(dir, "settings"), filepath.Join(dir, "temp")
			must.Do(t, os.WriteFile(path, []byte("old"), 0o600))
			d := disk.Watch(dir)
			files := file.System{Recorder: folders{d, syncs}}
			must.Do(t, files.Create(temp))
			must.Do(t, fill(files.Recorder, temp, "new"))
			must.Do(t, files.Rename(temp, path))
			d.DieAfter(0)
			must.Get(d.Restart(rand.New(rand.NewPCG(seed, 4)), true))(t)
			content, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			left, _ := os.ReadFile(temp)
			got[string(content)+" "+string(left)]++
			d.Close()
		}
		if lost := got["old "] + got["old new"]; (lost > 0) == syncs || got["new "] == 0 || len(got) > 3 {
			t.Errorf("folder synced %v: %v", syncs, got)
		}
	}
}
