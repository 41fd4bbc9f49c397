//go:build cgo && linux

package world_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate/engine"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/store"
)

// process is one run of the program, with a front end of one kind.
type process struct {
	w       *world
	name    string
	gate    *gate
	app     *app.App
	ctx     context.Context
	cancel  context.CancelFunc
	store   *store.Store
	all     writer
	cfg     config.Config
	builder app.Builder
	front   frontEnd
}

// now carries out a write that does not wait at the gate: a front end's, or one of which what it
// holds, or whether there is one at all, depends on which of two turns was first, and that is not the
// seed's.
func (p *process) now(name string, f fact, write func() error) error {
	if p.gate.dead() {
		return errKilled
	}
	return p.w.record(p, name, f, write)
}

// frontEnd is what a person or a program uses a process by.
type frontEnd interface {
	read() bool // takes in what happened, and reports whether there was anything
	busy() bool // something goes on by itself
	act()       // its user does something
	calm() bool // its user does what leads to an end, and reports whether there is anything left to do
	close()     // its user quits
	kill()      // its process is gone
	wait()      // until it has ended
}

// start starts a process.
func (w *world) start() {
	w.boots++
	p := &process{w: w, name: fmt.Sprintf("p%d", w.boots), gate: &gate{}}
	kind := w.pick(len(frontEnds))
	if w.calm {
		kind = 0
	}
	if w.disk.FailWith(0); !p.open() { // it does not begin on a disk that is full
		return
	}
	w.tell("%s starts: %s", p.name, frontEnds[kind].name)
	w.procs = append(w.procs, p)
	p.front = frontEnds[kind].open(p)
	w.settle()
}

// frontEnds are the kinds of front ends; the first is the plainest.
var frontEnds = []struct {
	name string
	open func(*process) frontEnd
}{
	{"control", openControl},
	{"line by line", openLines},
	{"interface", openScreen},
	{"MCP", openAssistant},
}

// open opens the store and what plays its sessions.
func (p *process) open() bool {
	ids := rand.New(rand.NewPCG(p.w.seed, uint64(p.w.boots)))
	text := func(n int) func() string {
		return func() string {
			const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
			out := make([]byte, n)
			for i := range out {
				out[i] = alphabet[ids.IntN(len(alphabet))]
			}
			return string(out)
		}
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	env := map[string]string{"ROUNDTABLE_CONFIG": filepath.Join(p.w.dir, "config.toml"), "ROUNDTABLE_DB": p.w.database()}
	p.app = &app.App{
		Process: app.Process{
			Stdin: &bytes.Reader{}, Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
			Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		},
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Door: p.name,
		Store: store.Options{NewID: text(10), NewNonce: text(32), Files: p.w.disk.Files()},
		Parts: func(o engine.Options) engine.Options {
			o.Recorder = recorder{o.Recorder.(*store.Store), p}
			o.Provider = func(agents.Profile) (agents.Provider, error) { return model{p}, nil }
			o.OnPanic = func(c *crash.Panic) {
				if !strings.Contains(c.What, "defect") {
					p.w.violate("panic", "%s\n%s", c.What, c.Stack)
				}
			}
			return o
		},
	}
	var found bool
	var err error
	if p.cfg, found, err = p.app.Config(); err == nil {
		p.store, err = p.app.OpenStore(p.ctx)
	}
	if err != nil || p.store.ReadOnly() != "" {
		if !p.w.disk.Dead() { // else the power was cut meanwhile, see once
			p.w.violate("open", "the database does not open, or only for reading: %v", err)
		}
		p.cancel()
		p.app.Close()
		return false
	}
	clients := p.app.OpenClients(p.ctx, p.cfg, 0)
	p.builder = app.NewBuilder(p.cfg, found)
	p.all = writer{p.app.Sessions(p.store, p.builder, clients), p}
	return true
}

func (w *world) database() string { return filepath.Join(w.data(), "roundtable.db") }

// kill ends the process at once: nothing of it is written any more.
func (p *process) kill() {
	p.gate.kill()
	p.cancel()
	p.front.kill()
	p.wait()
}

// quit ends the process as its user does.
func (p *process) quit() {
	p.front.close()
	p.cancel()
	p.wait()
}

// wait waits until nothing of the process is left.
func (p *process) wait() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		p.front.wait()
		p.app.Close()
	}()
	for tries := 0; ; tries++ {
		synctest.Wait()
		select {
		case <-closed:
			return
		default:
		}
		if waiting := p.gate.calls(); len(waiting) > 0 {
			p.gate.let(waiting[0])
			continue
		}
		if time.Sleep(10 * time.Millisecond); tries > 2000 {
			p.w.violate("end", "%s does not end: %v wait", p.name, p.gate.calls())
			panic(fmt.Sprintf("seed %d: %s does not end", p.w.seed, p.name))
		}
	}
}

// emptyDatabase is a database without debates, which takes longer to make than most worlds
// take to play.
var emptyDatabase = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "world")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "r.db")
	s, err := store.Open(context.Background(), path, store.Options{})
	if err == nil {
		err = s.Close()
	}
	raw, unread := os.ReadFile(path)
	return raw, errors.Join(err, unread)
})
