package store

import (
	"context"
	_ "embed" // for schemaText
	"errors"
	"fmt"
	"os"
)

// schemaVersion is the version of schemaText. It is one more with each change that a database
// from before does not have.
const schemaVersion = 28

//go:embed schema.sql
var schemaText string

// upgrade converts an older database after it has made a copy of it, which is removed at the
// next start after a clean one.
func (s *Store) upgrade(ctx context.Context, version int) error {
	if version == schemaVersion {
		if s.marker.unclean {
			return nil
		}
		return s.removeCopy()
	}
	const again = "Then open it again."
	if !s.marker.alone {
		return s.file.refuse("an older Roundtable has it open; quit that one first", again, nil)
	}
	if err := s.makeCopy(ctx); err != nil {
		cause := err.Error()
		if save := (*SaveError)(nil); errors.As(err, &save) {
			cause = save.Cause
		}
		return s.file.refuse("it could not be copied before its conversion: "+cause,
			"Make room in "+s.file.dir()+", then open it again.", err)
	}
	err := s.write(ctx, "schema", func(tx *transaction) {
		if one(tx, column[int], "PRAGMA user_version") != schemaVersion { // or another process was quicker
			s.convert(tx)
			tx.exec(fmt.Sprintf("PRAGMA user_version = %d", schemaVersion))
		}
	})
	if err != nil {
		return s.file.refuse("it could not be converted ("+err.Error()+")", again, err)
	}
	s.notices = append(s.notices, fmt.Sprintf("The database was converted. Until the next start it is kept as %s, as it was.",
		s.copyPath()))
	return nil
}

func (s *Store) copyPath() string { return fmt.Sprintf("%s.before-%d", s.file.path, schemaVersion) }

// makeCopy makes that copy. It has its name only once it is complete; what an earlier attempt
// left is replaced.
func (s *Store) makeCopy(ctx context.Context) error {
	temp := s.copyPath() + ".new"
	if err := s.options.Files.Remove(temp); err != nil {
		return err
	}
	if err := s.SaveCopy(ctx, temp); err != nil {
		return err
	}
	crashAt("copy-name", "before")
	if err := s.options.Files.Rename(temp, s.copyPath()); err != nil {
		return err
	}
	crashAt("copy-name", "after")
	return nil
}

func (s *Store) removeCopy() error {
	for _, path := range []string{s.copyPath(), s.copyPath() + ".new"} {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if err := s.options.Files.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
