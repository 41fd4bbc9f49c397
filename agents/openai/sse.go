package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// sseEvent is one event of a server-sent stream, or a comment.
type sseEvent struct {
	name    string // of the event field
	data    []byte // valid until the next call
	isError bool   // came in a field named error, as llama.cpp sends it
	comment bool
}

// sseReader reads server-sent events: lines end in LF, CRLF or CR, the first
// may have a byte-order mark, the last may have no end. An event ends at a
// blank line; one whose first data line is whole JSON, or [DONE], ends there,
// since some servers send no blank line.
type sseReader struct {
	src         io.Reader
	limits      Limits
	wantComment bool // return the next comment between events

	buf        []byte
	begin      int    // where the unread part of buf begins
	read       int    // bytes of the stream so far
	err        error  // of src, told when buf is used up
	started    bool   // the byte-order mark is behind us
	afterCR    bool   // an LF that comes next belongs to the CR before it
	recognized bool   // a line of the format was seen
	head       []byte // the stream's beginning, for a message

	event sseEvent
	lines int // of data
}

const headBytes = 4 * maxQuote

var byteOrderMark = []byte("\xEF\xBB\xBF")

// next returns the next event that has data, or a comment if one is to be
// told. At the stream's end the error comes with what is left of an event.
func (r *sseReader) next() (sseEvent, error) {
	r.event, r.lines = sseEvent{data: r.event.data[:0]}, 0
	for {
		line, err := r.line()
		done := false
		if err == nil || len(line) > 0 {
			var limit error
			if done, limit = r.field(line); limit != nil {
				return sseEvent{}, limit
			}
		}
		if err != nil || done {
			return r.event, err
		}
	}
}

// field takes one line in and says whether there is something to return.
func (r *sseReader) field(line []byte) (done bool, err error) {
	if len(line) == 0 && r.lines > 0 {
		return true, nil
	}
	if len(line) == 0 {
		r.event.name = ""
		return false, nil
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "":
		r.event.comment = r.wantComment && r.event.name == "" && r.lines == 0
		done = r.event.comment
	case "event":
		r.event.name = string(value[:min(len(value), 64)])
	case "data", "error":
		r.event.isError = r.event.isError || string(name) == "error"
		done, err = r.addData(value)
	case "id", "retry":
	default:
		return false, nil
	}
	r.recognized = true
	return done, err
}

func (r *sseReader) addData(value []byte) (done bool, err error) {
	if r.lines == 0 && len(bytes.TrimSpace(value)) == 0 {
		return false, nil
	}
	if len(r.event.data)+len(value) >= r.limits.Event {
		return false, limitError{"event_bytes", r.limits.Event}
	}
	if r.lines > 0 {
		// The standard says a line feed. Between tokens of JSON a space is the same,
		// and within a string, which some servers cut, JSON allows no line feed.
		r.event.data = append(r.event.data, ' ')
	}
	r.event.data = append(r.event.data, value...)
	r.lines++
	return r.lines == 1 && !r.blankNext() && isWhole(r.event.data), nil
}

// blankNext says whether a blank line is at hand, so that nobody needs to find
// out whether the event is whole: it is.
func (r *sseReader) blankNext() bool {
	rest := r.buf[r.begin:]
	if r.afterCR {
		rest = bytes.TrimPrefix(rest, []byte("\n"))
	}
	return len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r')
}

// isWhole says whether a first line of data is all of an event. A later line
// is not asked, since checking a growing text at each line takes square time.
func isWhole(data []byte) bool {
	data = bytes.TrimSpace(data)
	last := data[len(data)-1]
	return last == '}' && json.Valid(data) || last == ']' && isDone(data)
}

func isDone(data []byte) bool { return bytes.EqualFold(bytes.TrimSpace(data), []byte("[DONE]")) }

// line returns the next line without its end, valid until the next call. With
// an error comes what of a last line there is.
func (r *sseReader) line() ([]byte, error) {
	for searched := 0; ; {
		if r.afterCR && r.begin < len(r.buf) {
			r.afterCR = false
			if r.buf[r.begin] == '\n' {
				r.begin++
			}
		}
		if i := lineEnd(r.buf[r.begin+searched:]); i >= 0 {
			end := r.begin + searched + i
			line := r.buf[r.begin:end]
			r.afterCR = r.buf[end] == '\r'
			r.begin = end + 1
			return r.withoutMark(line), nil
		}
		searched = len(r.buf) - r.begin
		if searched >= r.limits.Event {
			return nil, limitError{"event_bytes", r.limits.Event}
		}
		if limit := (limitError{}); errors.As(r.err, &limit) {
			return nil, r.err // the rest is cut by us: no part of it is an event
		}
		if r.err != nil {
			line := r.buf[r.begin:]
			r.begin = len(r.buf)
			return r.withoutMark(line), r.err
		}
		r.fill()
	}
}

// lineEnd finds the first CR or LF. It looks at a window at a time: looking
// for one of them to the buffer's end, when only the other one comes, would
// read the whole buffer for every line.
func lineEnd(b []byte) int {
	const window = 1 << 10
	for from := 0; from < len(b); from += window {
		part := b[from:min(from+window, len(b))]
		end := bytes.IndexByte(part, '\n')
		if end >= 0 {
			part = part[:end]
		}
		if cr := bytes.IndexByte(part, '\r'); cr >= 0 {
			end = cr
		}
		if end >= 0 {
			return from + end
		}
	}
	return -1
}

// withoutMark takes the byte-order mark off the stream's first line.
func (r *sseReader) withoutMark(line []byte) []byte {
	if r.started {
		return line
	}
	r.started = true
	return bytes.TrimPrefix(line, byteOrderMark)
}

// fill reads more, after moving what is unread to the front.
func (r *sseReader) fill() {
	r.buf = r.buf[:copy(r.buf, r.buf[r.begin:])]
	r.begin = 0
	if cap(r.buf)-len(r.buf) < 1<<10 {
		r.buf = append(make([]byte, 0, max(8<<10, 2*cap(r.buf))), r.buf...)
	}
	n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	r.head = append(r.head, r.buf[len(r.buf)-n:][:min(n, headBytes-len(r.head))]...)
	r.read += n
	r.err = err
	if r.read > r.limits.Stream {
		r.err = limitError{"stream_bytes", r.limits.Stream}
	}
}

// first returns the first byte that is no white space, without taking it, or
// 0 when there is none.
func (r *sseReader) first() byte {
	for {
		rest := bytes.TrimPrefix(r.buf[r.begin:], byteOrderMark)
		if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) > 0 && !bytes.HasPrefix(byteOrderMark, rest) {
			return rest[0]
		}
		if r.err != nil || len(r.buf)-r.begin > r.limits.Event {
			return 0
		}
		r.fill()
	}
}

// rest reads the whole stream as one document.
func (r *sseReader) rest() ([]byte, error) {
	for r.err == nil && len(r.buf)-r.begin < r.limits.Event {
		r.fill()
	}
	doc := bytes.TrimSpace(bytes.TrimPrefix(r.buf[r.begin:], byteOrderMark))
	switch {
	case r.err == nil:
		return nil, limitError{"event_bytes", r.limits.Event}
	case r.err != io.EOF:
		return nil, r.err
	}
	return doc, nil
}
