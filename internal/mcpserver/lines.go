package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"roundtable/internal/text"
)

const maxLine = 8 << 20

// lines reads the messages of a client, one a line, and refuses lines that are no message. The SDK ends
// the connection at the first bad message, and with it all debates that other calls play.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of a message
}

// Read returns bytes of the next good message.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if len(line) > maxLine {
			err = l.refuse(idOf(line), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d MB", maxLine>>20))
		} else if len(bytes.TrimSpace(line)) > 0 {
			err = l.take(line)
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// maxEnd is how much of the end of a line that is too long is read, in bytes.
const maxEnd = 4 << 10

// line reads a line, of one that is too long the beginning and the end. The last one may lack its end.
func (l *lines) line() (line []byte, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine+16*maxEnd {
			line = slices.Delete(line, maxLine, len(line)-maxEnd)
		}
		if errors.Is(err, io.EOF) && len(line) > 0 {
			err = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Where clients write the id of a message: before what may be long, or as its last member.
var (
	idFirst = text.Regexp(`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("[^"\\]*"|-?\d+)\s*,`)
	idLast  = text.Regexp(`,\s*"id"\s*:\s*("[^"\\]*"|-?\d+)\s*\}\s*$`)
)

// idOf returns the id of a message that is too long, as it was sent; nil if it is at another place.
func idOf(line []byte) any {
	for _, at := range [][][]byte{idFirst().FindSubmatch(line), idLast().FindSubmatch(line[len(line)-maxEnd:])} {
		if at != nil {
			return json.RawMessage(at[1])
		}
	}
	return nil
}

func (l *lines) take(line []byte) error {
	var head struct{ ID any }
	if !json.Valid(line) || !utf8.Valid(line) {
		return l.refuse(nil, jsonrpc.CodeParseError, "the line is not a JSON value in UTF-8; send one message a line")
	}
	err := json.Unmarshal(line, &head)
	if _, bad := jsonrpc.MakeID(head.ID); bad != nil || err != nil {
		head.ID = nil
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return l.refuse(head.ID, jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC message; batches are not supported")
	}
	l.rest = append(bytes.TrimRight(line, "\r\n"), '\n')
	return nil
}

// refuse answers a message that is not passed on. An id that cannot be known is null, as
// JSON-RPC 2.0 has it, section 5.
func (l *lines) refuse(id any, code int64, why string) error {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why},
	})
	if err == nil {
		_, err = l.out.Write(append(line, '\n'))
	}
	return err
}

// kept is an output that is not the server's to close.
type kept struct{ io.Writer }

// Close does nothing.
func (kept) Close() error { return nil }
