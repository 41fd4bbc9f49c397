package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const maxLine = 8 << 20

// maxMethod bounds, in bytes, the name of a method: the SDK repeats an unknown one in its error.
const maxMethod = 200

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
		line, long, err := l.line()
		if long {
			err = l.tooLong(line)
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

// line reads a line, of one that is too long its outline. The last one may lack its end.
func (l *lines) line() (line []byte, long bool, err error) {
	var o outline
	for {
		part, err := l.in.ReadSlice('\n')
		if !long && len(line)+len(part) > maxLine {
			long = true
			o.add(line)
		}
		if long {
			o.add(part)
			line = o.kept
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (long || len(line) > 0):
			return line, long, nil
		default:
			return line, long, err
		}
	}
}

// outline is a message that is too long, with empty objects, lists and long texts.
type outline struct {
	kept            []byte
	depth           int
	quoted, escaped bool
	text            int // where the text under way begins in kept; -1: it is too long
}

func (o *outline) add(part []byte) {
	for _, b := range part {
		deep := o.depth > 1
		switch {
		case o.escaped:
			o.escaped = false
		case o.quoted && b == '\\':
			o.escaped = true
		case o.quoted && b != '"':
		case b == '"':
			if o.quoted = !o.quoted; o.quoted {
				o.text = len(o.kept) + 1
			}
		case b == '{' || b == '[':
			o.depth++
		case b == '}' || b == ']':
			o.depth--
			deep = o.depth > 1
		}
		switch {
		case deep, len(o.kept) > maxLine, o.quoted && o.text < 0:
		case o.quoted && len(o.kept)-o.text > maxMethod:
			o.kept, o.text = o.kept[:o.text], -1
		default:
			o.kept = append(o.kept, b)
		}
	}
}

// tooLong answers a message by its outline, or makes it an error of the server's call.
func (l *lines) tooLong(outline []byte) (err error) {
	var m struct{ ID, Result, Error any }
	if err := json.Unmarshal(outline, &m); err != nil || m.ID == "" { // a text that is too long is empty
		m.ID = nil
	}
	if _, err := jsonrpc.MakeID(m.ID); err != nil {
		m.ID = nil
	}
	why := fmt.Sprintf("the message is longer than %d MB", maxLine>>20)
	if m.ID == nil || m.Result == nil && m.Error == nil {
		return l.refuse(m.ID, jsonrpc.CodeInvalidRequest, why)
	}
	l.rest, err = answer(m.ID, jsonrpc.CodeInvalidRequest, why)
	return err
}

func (l *lines) take(line []byte) error {
	var head struct {
		ID     any
		Method string
	}
	if !json.Valid(line) || !utf8.Valid(line) {
		return l.refuse(nil, jsonrpc.CodeParseError, "the line is not a JSON value in UTF-8; send one message a line")
	}
	err := json.Unmarshal(line, &head)
	if _, bad := jsonrpc.MakeID(head.ID); bad != nil || err != nil {
		head.ID = nil
	}
	if len(head.Method) > maxMethod {
		why := fmt.Sprintf("there is no method of that name, which has %d bytes", len(head.Method))
		return l.refuse(head.ID, jsonrpc.CodeMethodNotFound, why)
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
	line, err := answer(id, code, why)
	if err == nil {
		_, err = l.out.Write(line)
	}
	return err
}

func answer(id any, code int64, why string) ([]byte, error) {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why},
	})
	return append(line, '\n'), err
}

// kept is an output that is not the server's to close.
type kept struct{ io.Writer }

// Close does nothing.
func (kept) Close() error { return nil }
