package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

const (
	maxMessage = 8 << 20  // bytes of one message
	maxFlood   = 32 << 20 // bytes that a server may send without being asked
	maxLines   = 20_000   // and lines
)

// messageReader reads the standard output of a server and passes on what answers or asks
// something. Lines that are no message and notifications are left out. A line without an
// end and a flood end the connection.
type messageReader struct {
	file    *os.File
	lines   *bufio.Reader
	line    []byte                // what is left of a line to pass on
	unasked atomic.Int64          // bytes since it was asked something
	count   atomic.Int64          // lines since then
	err     atomic.Pointer[error] // why it ended the connection
}

func newMessageReader(f *os.File) *messageReader {
	return &messageReader{file: f, lines: bufio.NewReaderSize(f, 64<<10)}
}

// asked allows the server to send again, since it was asked something.
func (r *messageReader) asked() {
	r.unasked.Store(0)
	r.count.Store(0)
}

// Read returns the next part of a message.
func (r *messageReader) Read(p []byte) (int, error) {
	for len(r.line) == 0 {
		line, err := r.next()
		if err != nil {
			return 0, err
		}
		if isMessage(line) {
			r.line = append(line, '\n')
		}
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// next returns the next line, without its end.
func (r *messageReader) next() ([]byte, error) {
	var line []byte
	for {
		piece, err := r.lines.ReadSlice('\n')
		line = append(line, piece...)
		switch sent := r.unasked.Add(int64(len(piece))); {
		case len(line) > maxMessage:
			return nil, r.fail(fmt.Errorf("it sent a line of more than %d MB", maxMessage>>20))
		case sent > maxFlood:
			return nil, r.fail(fmt.Errorf("it sent more than %d MB without being asked", maxFlood>>20))
		case err == nil && r.count.Add(1) > maxLines:
			return nil, r.fail(fmt.Errorf("it sent more than %d lines without being asked", maxLines))
		case err == nil:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, io.EOF
		}
	}
}

func (r *messageReader) fail(err error) error {
	r.err.Store(&err)
	return err
}

// failure returns why the reader ended the connection, nil if it did not.
func (r *messageReader) failure() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Close closes the standard output.
func (r *messageReader) Close() error { return r.file.Close() }

// isMessage reports whether a line is a response or a request of JSON-RPC.
func isMessage(line []byte) bool {
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil || m.Version != "2.0" {
		return false
	}
	return len(m.ID) > 0 && (m.ID[0] == '"' || m.ID[0] == '-' || m.ID[0] >= '0' && m.ID[0] <= '9')
}
