package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// lessonLifetime is how long a lesson is believed. Servers are updated.
const lessonLifetime = 24 * time.Hour

// lesson is what was learned about a model's server and is kept between runs of the
// program: what changes how an answer arrives, and nothing that it could be about.
type lesson struct {
	Learned         time.Time `json:"learned"`
	Unstreamed      bool      `json:"unstreamed,omitempty"`
	UnstreamedTools bool      `json:"unstreamed_tools,omitempty"`
	NoStreamOptions bool      `json:"no_stream_options,omitempty"`
}

// lessonOf returns what is kept of a model's quirks.
func lessonOf(q Quirks, now time.Time) lesson {
	return lesson{
		Learned: now.UTC(), Unstreamed: q.Unstreamed, UnstreamedTools: q.UnstreamedTools,
		NoStreamOptions: q.omits(paramStreamOptions),
	}
}

// applyTo returns the quirks with the lesson.
func (l lesson) applyTo(q Quirks) Quirks {
	q.Unstreamed = q.Unstreamed || l.Unstreamed
	q.UnstreamedTools = q.UnstreamedTools || l.UnstreamedTools
	if l.NoStreamOptions && !q.omits(paramStreamOptions) {
		q.Omit = append(slices.Clone(q.Omit), paramStreamOptions)
		slices.Sort(q.Omit)
	}
	return q
}

// holds reports whether the lesson is to be believed at a time.
func (l lesson) holds(now time.Time) bool {
	age := now.Sub(l.Learned)
	return (l.Unstreamed || l.UnstreamedTools || l.NoStreamOptions) && age >= 0 && age < lessonLifetime
}

// lessons keeps the lessons of one server in a file. The zero value keeps none.
type lessons struct {
	path string
}

// newLessons returns the lessons of the server at an address, in a file below the folder
// for state. Its name does not tell the address.
func newLessons(state, address string) lessons {
	if state == "" {
		return lessons{}
	}
	sum := sha256.Sum256([]byte(address))
	return lessons{filepath.Join(state, "servers", hex.EncodeToString(sum[:8])+".json")}
}

// load returns the lessons that hold, by model. A file that cannot be read has none.
func (l lessons) load(now time.Time) map[string]lesson {
	all := map[string]lesson{}
	raw, err := os.ReadFile(l.path)
	if err != nil || json.Unmarshal(raw, &all) != nil {
		return map[string]lesson{}
	}
	for model, x := range all {
		if !x.holds(now) {
			delete(all, model)
		}
	}
	return all
}

// save keeps the lesson about a model, if there is one, and forgets what is too old.
func (l lessons) save(model string, x lesson) error {
	if l.path == "" || !x.holds(x.Learned) {
		return nil
	}
	all := l.load(x.Learned)
	old := all[model]
	if old.Learned = x.Learned; old == x {
		return nil
	}
	all[model] = x
	raw, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode lessons: %w", err)
	}
	dir := filepath.Dir(l.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".lessons-*.part")
	if err != nil {
		return err
	}
	_, err = temp.Write(raw)
	if err := errors.Join(err, temp.Close()); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if err := os.Rename(temp.Name(), l.path); err != nil {
		if gone := os.Remove(temp.Name()); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		return err
	}
	return nil
}
