//go:build cgo && linux

package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"roundtable/internal/e2e/world/disk"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// mortal is a user on a machine that dies, and what the program has acknowledged.
type mortal struct {
	dir     string
	disk    *disk.Disk
	options store.Options
	opened  bool
	session string
	title   string // of the session
	next    string // a title that is being saved
	copied  string // the path of a copy
}

func newMortal(t *testing.T, dir string, options store.Options) *mortal {
	t.Helper()
	m := &mortal{dir: dir, options: options}
	m.disk = disk.Watch(m.dir)
	t.Cleanup(m.disk.Close)
	m.options.Files = m.disk.Files()
	m.options.Now = clock()
	return m
}

func (m *mortal) path() string { return filepath.Join(m.dir, "roundtable.db") }

// live uses the store twice, until it fails or the machine dies.
func (m *mortal) live(ctx context.Context) error {
	for n := range 2 {
		s, err := store.Open(ctx, m.path(), m.options)
		if err != nil {
			return err
		}
		m.opened = m.opened || !m.disk.Dead()
		if err = errors.Join(m.use(ctx, s, n), s.Close()); err != nil || m.disk.Dead() {
			return err
		}
	}
	return nil
}

func (m *mortal) use(ctx context.Context, s *store.Store, n int) error {
	if m.session == "" {
		d, err := s.Create(ctx, panel())
		if err != nil || m.disk.Dead() {
			return err
		}
		m.session = d.ID
	}
	for i := range 3 {
		m.next = fmt.Sprintf("title %d.%d", n, i)
		if err := s.Rename(ctx, m.session, m.next); err != nil || m.disk.Dead() {
			return err
		}
		m.title = m.next
	}
	copied := filepath.Join(m.dir, "copies", fmt.Sprintf("%d.db", n))
	if err := s.SaveCopy(ctx, copied); err != nil || m.disk.Dead() {
		return err
	}
	m.copied = copied
	return nil
}

// lost returns what was acknowledged and is not there.
func (m *mortal) lost(ctx context.Context) (err error) {
	if _, err := os.Lstat(m.path()); m.opened && err != nil {
		return err
	}
	s, err := store.Open(ctx, m.path(), m.options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if why := s.ReadOnly(); why != "" {
		return errors.New(why)
	}
	if err := store.Check(ctx, s); err != nil {
		return err
	}
	if m.session != "" {
		d, err := s.Session(ctx, m.session)
		if err != nil {
			return err
		}
		if m.title != "" && d.Title != m.title && d.Title != m.next {
			return fmt.Errorf("the title is %q, not %q or %q", d.Title, m.title, m.next)
		}
	}
	if m.copied != "" {
		_, err = store.SchemaOf(ctx, m.copied)
	}
	return err
}

// lives is how often a machine dies, at operations that are spread over a whole life.
const lives = 40

func TestPower_losesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]store.Options{"write-ahead log": {}, "rollback journal": store.WithRollback(store.Options{})} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			begin := func() *mortal {
				dir := t.TempDir()
				must.Do(t, os.Mkdir(filepath.Join(dir, "copies"), 0o700))
				return newMortal(t, dir, options)
			}
			m := begin()
			must.Do(t, m.live(ctx))
			must.Do(t, m.lost(ctx))
			total := m.disk.Ops()
			for i := range lives {
				m := begin()
				const stride = 181 // early and late deaths by turns
				m.disk.DieAfter(1 + i*stride%lives*total/lives)
				_ = m.live(ctx) // the error depends on where the disk died
				m.disk.DieAfter(0)
				said := must.Get(m.disk.Restart(rand.New(rand.NewPCG(uint64(i), 1)), i%4 > 0))(t)
				if err := m.lost(ctx); err != nil {
					t.Fatalf("life %d: %v\n%s", i, err, said)
				}
				m.disk.Close()
			}
		})
	}
}

// A machine that dies while it converts a database has the old one, or a copy of it.
func TestPower_keepsACopyBeforeAConversion(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	old := must.Get(os.ReadFile(before(t)))(t)
	convert := func(dies int) *mortal {
		m := newMortal(t, t.TempDir(), store.Options{})
		must.Do(t, os.WriteFile(m.path(), old, 0o600))
		if dies > 0 {
			m.disk.DieAfter(dies)
			defer m.disk.DieAfter(0)
		}
		s, err := store.Open(ctx, m.path(), m.options)
		if err == nil {
			err = s.Close()
		}
		if dies == 0 {
			must.Do(t, err)
		}
		return m
	}
	const deaths = 8
	total := convert(0).disk.Ops()
	for i := range deaths {
		k := 1 + i*total/deaths
		m := convert(k)
		said := must.Get(m.disk.Restart(rand.New(rand.NewPCG(uint64(k), 1)), k%4 > 0))(t)
		version, err := store.SchemaOf(ctx, m.path())
		if err != nil {
			t.Fatalf("operation %d: %v\n%s", k, err, said)
		}
		copied := fmt.Sprintf("%s.before-%d", m.path(), store.Latest)
		if _, err := os.Lstat(copied); version == store.Latest && err != nil {
			t.Errorf("operation %d: converted without a copy\n%s", k, said)
		} else if v, cause := store.SchemaOf(ctx, copied); err == nil && (cause != nil || v != 25) {
			t.Errorf("operation %d: the copy has schema %d, %v\n%s", k, v, cause, said)
		}
		if err := m.lost(ctx); err != nil {
			t.Errorf("operation %d: %v\n%s", k, err, said)
		}
		m.disk.Close()
	}
}
