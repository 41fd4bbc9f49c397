package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/internal/text"
)

// Limits of what an agent may send.
const (
	maxLine   = 8 << 20  // bytes of one message
	maxTurn   = 64 << 20 // bytes of all messages of a turn
	maxAnswer = 10 << 20 // bytes of text and reasoning of a turn
)

// lineReader reads the standard output of an agent. News of sessions are delivered before
// the next line is read, in their order and ahead of the response that ends the turn; all
// other messages are passed on to the SDK. A message that is not valid and a flood end
// the connection.
type lineReader struct {
	lines   *bufio.Reader
	deliver func(sdk.SessionNotification)
	begun   chan struct{}
	line    []byte // what is left of a line to pass on
	spoken  bool   // a message was read
	total   atomic.Int64
	err     atomic.Pointer[error] // why the connection was ended
}

func newLineReader(f *os.File, deliver func(sdk.SessionNotification)) *lineReader {
	return &lineReader{lines: bufio.NewReaderSize(f, 64<<10), deliver: deliver, begun: make(chan struct{})}
}

// begin lets the reader read.
func (r *lineReader) begin() { close(r.begun) }

// newTurn begins to count anew.
func (r *lineReader) newTurn() { r.total.Store(0) }

// Read returns the next part of a message for the SDK.
func (r *lineReader) Read(p []byte) (int, error) {
	<-r.begun
	for len(r.line) == 0 {
		line, err := r.next()
		if err != nil {
			return 0, err
		}
		if err := r.handle(line); err != nil {
			return 0, r.fail(err)
		}
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// next returns the next line, without its end.
func (r *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		piece, err := r.lines.ReadSlice('\n')
		line = append(line, piece...)
		switch sent := r.total.Add(int64(len(piece))); {
		case len(line) > maxLine:
			return nil, r.fail(fmt.Errorf("it sent a message of more than %d MB", maxLine>>20))
		case sent > maxTurn:
			return nil, r.fail(fmt.Errorf("it sent more than %d MB in one turn", maxTurn>>20))
		case err == nil:
			return bytes.TrimSpace(line), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case len(bytes.TrimSpace(line)) > 0 && r.spoken:
			return nil, r.fail(errors.New("its last message broke off"))
		default:
			return nil, io.EOF
		}
	}
}

// handle delivers a line or keeps it for the SDK. What a program prints before its first
// message is passed over.
func (r *lineReader) handle(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" {
		if !r.spoken && line[0] != '{' {
			return nil
		}
		return fmt.Errorf("it sent something that is no message of the protocol: %s", text.Clip(text.Line(string(line)), maxQuote))
	}
	r.spoken = true
	if m.Method != sdk.ClientMethodSessionUpdate || len(m.ID) > 0 {
		r.line = append(line, '\n')
		return nil
	}
	var n sdk.SessionNotification
	if json.Unmarshal(m.Params, &n) == nil { // kinds of news that the SDK does not know are no error
		r.deliver(n)
	}
	return nil
}

func (r *lineReader) fail(err error) error {
	r.err.Store(&err)
	return err
}

// failure returns why the reader ended the connection, nil if it did not.
func (r *lineReader) failure() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// maxQuote is how much of an agent's words stands in a sentence, in cells.
const maxQuote = 300
