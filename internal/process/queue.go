package process

import (
	"errors"
	"io"
	"sync"
)

// maxQueued bounds what waits to be written, in bytes.
const maxQueued = 64 << 20

var errUnread = errors.New("the other side does not read")

// WriteQueue is a writer that never waits for who reads: what is written is kept in memory
// until it is taken. So a program that answers what it reads can always read on.
type WriteQueue struct {
	to     io.WriteCloser
	failed chan struct{} // closed when nothing can be written any more

	mu      sync.Mutex
	waiting []byte
	size    int           // of waiting and of what is being written
	idle    chan struct{} // closed when nothing is waiting; nil before the first write
	err     error         // why it failed
}

// NewWriteQueue returns a queue in front of a writer.
func NewWriteQueue(to io.WriteCloser) *WriteQueue {
	return &WriteQueue{to: to, failed: make(chan struct{})}
}

// Write adds a copy of p to the queue. It is an error if too much is waiting, or if an
// earlier write has failed.
func (q *WriteQueue) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil && q.size+len(p) > maxQueued {
		q.fail(errUnread)
	}
	if q.err != nil {
		return 0, q.err
	}
	begin := q.size == 0 && len(p) > 0
	q.waiting, q.size = append(q.waiting, p...), q.size+len(p)
	if begin {
		q.idle = make(chan struct{})
		go q.drain()
	}
	return len(p), nil
}

func (q *WriteQueue) drain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer close(q.idle)
	for q.err == nil && q.size > 0 {
		next := q.waiting
		q.waiting = nil
		q.mu.Unlock()
		_, err := q.to.Write(next)
		q.mu.Lock()
		if q.size -= len(next); err != nil && q.err == nil {
			q.fail(err)
		}
	}
}

// fail ends the queue; q.mu is held.
func (q *WriteQueue) fail(err error) {
	q.err, q.waiting = err, nil
	close(q.failed)
}

// Failed is closed when a write has failed or too much is waiting.
func (q *WriteQueue) Failed() <-chan struct{} { return q.failed }

// Flushed is closed when all that was written before is taken, or cannot be.
func (q *WriteQueue) Flushed() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.idle == nil {
		q.idle = make(chan struct{})
		close(q.idle)
	}
	return q.idle
}

// Close closes the writer. What is waiting is lost.
func (q *WriteQueue) Close() error { return q.to.Close() }
