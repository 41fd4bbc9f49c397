package process_test

import (
	"bytes"
	"io"
	"testing"

	"roundtable/internal/process"
	"roundtable/internal/testing/must"
)

// What nobody reads is kept up to a limit, and in its order.
func TestWriteQueue_neverWaits(t *testing.T) {
	t.Parallel()
	reader, writer := io.Pipe()
	q := process.NewWriteQueue(writer)
	line, want := bytes.Repeat([]byte("x"), 1<<20), 0
	for range 64 {
		if n, err := q.Write(line); err != nil {
			t.Fatal(err)
		} else {
			want += n
		}
	}
	select {
	case <-q.Flushed():
		t.Error("all is written that nobody has read")
	default:
	}
	read := make([]byte, want)
	if _, err := io.ReadFull(reader, read); err != nil {
		t.Error(err)
	}
	<-q.Flushed()
	for {
		if _, err := q.Write(line); err != nil {
			<-q.Failed()
			break
		}
		if want += len(line); want > 1<<30 {
			t.Fatal("there is no limit")
		}
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	<-q.Flushed()
}

func TestWriteQueue_failsWithItsReader(t *testing.T) {
	t.Parallel()
	reader, writer := io.Pipe()
	q := process.NewWriteQueue(writer)
	must.Do(t, reader.Close())
	if _, err := q.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	<-q.Failed()
	if _, err := q.Write([]byte("x")); err == nil {
		t.Error("a write to nobody is no error")
	}
}
