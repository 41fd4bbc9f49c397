package config

import "sync"

// memo calls functions once by name. A success is kept. A failure is shared by all
// that wait for it, and kept until forget.
type memo[T any] struct {
	mu    sync.Mutex
	calls map[string]*call[T]
}

type call[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// do returns the result of f, which runs unless a call of the same name has begun.
func (m *memo[T]) do(name string, f func() (T, error)) (T, error) {
	m.mu.Lock()
	c, begun := m.calls[name]
	if !begun {
		c = &call[T]{done: make(chan struct{})}
		if m.calls == nil {
			m.calls = map[string]*call[T]{}
		}
		m.calls[name] = c
	}
	m.mu.Unlock()
	if !begun {
		defer close(c.done)
		c.value, c.err = f()
		return c.value, c.err
	}
	<-c.done
	return c.value, c.err
}

// values returns the results so far of the calls that succeeded.
func (m *memo[T]) values() []T {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []T
	for _, c := range m.calls {
		select {
		case <-c.done:
			if c.err == nil {
				all = append(all, c.value)
			}
		default:
		}
	}
	return all
}

// forget drops the failures, so that the next call runs again.
func (m *memo[T]) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, c := range m.calls {
		select {
		case <-c.done:
			if c.err != nil {
				delete(m.calls, name)
			}
		default:
		}
	}
}
