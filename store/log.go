package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// SQLite applies a write-ahead log to whatever file is beside it. If the file was replaced
// after a crash, pages of one database end up in another, so that the log is looked at
// before it is used.

// refuseLog returns an error that says that the log is not of this file.
func (f databaseFile) refuseLog(err error) error {
	return f.refuse(fmt.Sprintf("%s-wal belongs to the file that was in this place before", f.path),
		fmt.Sprintf("Put that file back, or remove %s-wal and %s-shm to open this one as it is.", f.path, f.path), err)
}

// checkLog refuses a log that was made for another file, as the marker of the process that
// made it says. A file and a log that moved together, or were copied together, are taken.
func (f databaseFile) checkLog() error {
	if !isFilled(f.path + "-wal") {
		return nil
	}
	raw, err := os.ReadFile(unclosedPath(f.path))
	if err != nil {
		return nil //nolint:nilerr // it was closed cleanly, and what has the log belongs to an earlier version
	}
	var database, log uint64
	if _, err := fmt.Sscanf(string(raw), markerFormat, &database, &log); err != nil {
		return nil //nolint:nilerr // an earlier version wrote nothing
	}
	if nowDatabase, nowLog := f.numbers(); nowLog == log && nowDatabase != database {
		return f.refuseLog(nil)
	}
	return nil
}

// markerFormat is what a marker says: the numbers of the database and of its log.
const markerFormat = "%d %d\n"

// numbers returns the numbers that the file system gave to the database and its log, 0 for
// those that it does not have.
func (f databaseFile) numbers() (database, log uint64) {
	number := func(path string) uint64 {
		info, err := os.Lstat(path)
		if err != nil {
			return 0
		}
		return fileNumber(info)
	}
	return number(f.path), number(f.path + "-wal")
}

// isSoundAlone reports whether the file has no damage if its log is left out.
func (f databaseFile) isSoundAlone(ctx context.Context) bool {
	return f.quickCheck(ctx, map[string]string{"mode": "ro", "immutable": "1"}) == nil
}

// checkWithLog looks for damage without writing to the file. A file that is sound until its
// log is applied has the log of another one.
func (f databaseFile) checkWithLog(ctx context.Context) error {
	if !isFilled(f.path + "-wal") {
		return f.quickCheck(ctx, map[string]string{"mode": "rw"}) // a journal is rolled back
	}
	err := f.quickCheck(ctx, map[string]string{"mode": "ro"})
	var damage *DamagedError
	if errors.As(err, &damage) && f.isSoundAlone(ctx) {
		return f.refuseLog(err)
	}
	return err
}

func (f databaseFile) quickCheck(ctx context.Context, options map[string]string) error {
	db := f.pool(1, options)
	return errors.Join(quickCheck(ctx, db, f.path), db.Close())
}

// hasForeignLog reports whether the file is ours and sound until its log is applied.
func (f databaseFile) hasForeignLog(ctx context.Context) bool {
	if !isFilled(f.path + "-wal") {
		return false
	}
	h, err := f.header(ctx, map[string]string{"mode": "ro", "immutable": "1"})
	return err == nil && h.application == applicationID && f.isSoundAlone(ctx)
}
