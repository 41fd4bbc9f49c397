package openai

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

type frameKind int

const (
	frameNone     frameKind = iota
	frameEvent              // an event of a stream
	frameCut                // an event that the end of the stream cut off, or all of it but the blank line after it
	frameError              // an event that is marked as an error
	frameDocument           // all of a body that is not a stream
	frameDone               // [DONE]
	frameComment            // a sign that the server is alive
)

type frame struct {
	kind frameKind
	data []byte // valid until the next frame is read
}

// frameReader reads a response body, either an SSE stream or a single JSON document.
type frameReader struct {
	sse      *sseReader
	body     io.Closer
	watchdog *watchdog
	isStream bool // the server calls it an event stream
	begun    bool
	err      error
}

func newFrameReader(resp *http.Response, w *watchdog, l Limits) *frameReader {
	return &frameReader{
		sse:      &sseReader{src: timedReader{resp.Body, w}, limits: l},
		body:     resp.Body,
		watchdog: w,
		isStream: strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "event-stream"),
	}
}

// signsOfLife is how long after a frame comments are skipped: a server may send many.
const signsOfLife = 5 * time.Second

func (r *frameReader) next() (frame, error) {
	for r.err == nil {
		f := r.read()
		if f.kind == frameNone {
			continue
		}
		r.sse.skipComments = time.Now().Add(signsOfLife)
		if f.data != nil {
			r.watchdog.dataReceived()
		}
		return f, nil
	}
	return frame{}, r.err
}

func (r *frameReader) read() frame {
	if !r.begun {
		r.begun = true
		if strings.IndexByte("{[<", r.sse.peek()) >= 0 {
			return r.document()
		}
	}
	ev, err := r.sse.next()
	r.err = err
	switch {
	case ev.comment:
		return frame{kind: frameComment}
	case len(ev.data) == 0:
		if err == io.EOF && !r.sse.recognized && (len(r.sse.head) > 0 || !r.isStream) {
			return frame{frameDocument, r.sse.head}
		}
		return frame{}
	case isDone(ev.data):
		return frame{kind: frameDone}
	case ev.isError || ev.name == "error":
		return frame{frameError, ev.data}
	case err != nil:
		return frame{frameCut, ev.data}
	}
	return frame{frameEvent, ev.data}
}

// document reads a body that is not a stream. A line break within a string, which
// JSON does not allow, becomes a space.
func (r *frameReader) document() frame {
	doc, err := r.sse.readAll()
	if r.err = err; err != nil {
		return frame{}
	}
	r.err = io.EOF
	return frame{frameDocument, bytes.ReplaceAll(doc, []byte("\n"), []byte(" "))}
}

type sseEvent struct {
	name    string // of the event field
	data    []byte // valid until the next call
	isError bool   // came in a field named error, as llama.cpp sends it
	comment bool
}

// sseReader reads server-sent events. Lines end in LF or CRLF; the first may begin with a
// byte-order mark, the last may have no end. An event ends at a blank line.
type sseReader struct {
	src          io.Reader
	limits       Limits
	skipComments time.Time // until when comments between events are not returned

	buf         []byte
	start       int    // of the unread part of buf
	total       int    // bytes read so far
	err         error  // of src; returned when buf is used up
	markTrimmed bool   // the first line was read
	recognized  bool   // a line of the format was seen
	head        []byte // the beginning of the stream, to be quoted

	event sseEvent
	lines int // of data
}

const headBytes = 4 * maxQuote

var byteOrderMark = []byte("\xEF\xBB\xBF")

// next returns the next event that has data, or a comment if none was returned lately. At the
// end of the stream it returns the error together with an incomplete event.
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
		r.event.comment = r.event.name == "" && r.lines == 0 && !time.Now().Before(r.skipComments)
		done = r.event.comment
	case "event":
		r.event.name = string(value[:min(len(value), 64)])
	case "data", "error":
		r.event.isError = r.event.isError || string(name) == "error"
		err = r.addData(value)
	case "id", "retry":
	default:
		return false, nil
	}
	r.recognized = true
	return done, err
}

func (r *sseReader) addData(value []byte) error {
	if r.lines == 0 && len(bytes.TrimSpace(value)) == 0 {
		return nil
	}
	if len(r.event.data)+len(value) >= r.limits.Event {
		return overLimit("event_bytes", r.limits.Event)
	}
	if r.lines > 0 {
		// The standard says a line feed. Between tokens of JSON a space is the same,
		// and within a string, which some servers cut, JSON allows no line feed.
		r.event.data = append(r.event.data, ' ')
	}
	r.event.data = append(r.event.data, value...)
	r.lines++
	return nil
}

func isDone(data []byte) bool { return bytes.EqualFold(bytes.TrimSpace(data), []byte("[DONE]")) }

// line returns the next line without its end. It is valid until the next call. An
// error comes together with an incomplete last line.
func (r *sseReader) line() ([]byte, error) {
	for searched := 0; ; {
		if i := bytes.IndexByte(r.buf[r.start+searched:], '\n'); i >= 0 {
			end := r.start + searched + i
			line := bytes.TrimRight(r.buf[r.start:end], "\r")
			r.start = end + 1
			return r.trimMark(line), nil
		}
		searched = len(r.buf) - r.start
		if searched >= r.limits.Event {
			return nil, overLimit("event_bytes", r.limits.Event)
		}
		if limit := (*wireError)(nil); errors.As(r.err, &limit) {
			return nil, r.err // cut by our own limit, so the rest is not an event
		}
		if r.err != nil {
			line := r.buf[r.start:]
			r.start = len(r.buf)
			return r.trimMark(line), r.err
		}
		r.fill()
	}
}

func (r *sseReader) trimMark(line []byte) []byte {
	if r.markTrimmed {
		return line
	}
	r.markTrimmed = true
	return bytes.TrimPrefix(line, byteOrderMark)
}

func (r *sseReader) fill() {
	r.buf = r.buf[:copy(r.buf, r.buf[r.start:])]
	r.start = 0
	if cap(r.buf)-len(r.buf) < 1<<10 {
		r.buf = append(make([]byte, 0, max(8<<10, 2*cap(r.buf))), r.buf...)
	}
	n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	r.head = append(r.head, r.buf[len(r.buf)-n:][:min(n, headBytes-len(r.head))]...)
	r.total += n
	r.err = err
	if r.total > r.limits.Stream {
		r.err = overLimit("stream_bytes", r.limits.Stream)
	}
}

func (r *sseReader) peek() byte {
	for {
		rest := bytes.TrimPrefix(r.buf[r.start:], byteOrderMark)
		if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) > 0 && !bytes.HasPrefix(byteOrderMark, rest) {
			return rest[0]
		}
		if r.err != nil || len(r.buf)-r.start > r.limits.Event {
			return 0
		}
		r.fill()
	}
}

func (r *sseReader) readAll() ([]byte, error) {
	for r.err == nil && len(r.buf)-r.start < r.limits.Event {
		r.fill()
	}
	doc := bytes.TrimSpace(bytes.TrimPrefix(r.buf[r.start:], byteOrderMark))
	switch {
	case r.err == nil:
		return nil, overLimit("event_bytes", r.limits.Event)
	case r.err != io.EOF:
		return nil, r.err
	}
	return doc, nil
}
