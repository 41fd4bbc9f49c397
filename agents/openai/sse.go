package openai

import (
	"bufio"
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

// frameReader reads a response body, either server-sent events or a single JSON document. Lines
// end in LF or CRLF; the last may have no end. An event ends at a blank line.
type frameReader struct {
	in       *bufio.Reader
	body     io.Closer
	watchdog *watchdog
	limits   Limits
	isStream bool // the server calls it an event stream

	begun        bool
	recognized   bool      // a line of the format was seen
	head         []byte    // what was read before one was, to be quoted
	skipComments time.Time // until when comments are not returned
	buf, data    []byte    // of the latest line and event
	err          error     // why no more can be read
}

func newFrameReader(resp *http.Response, w *watchdog, l Limits) *frameReader {
	return &frameReader{
		in:       bufio.NewReaderSize(&streamReader{timedReader{resp.Body, w}, l.Stream, l.Stream}, 8<<10),
		body:     resp.Body,
		watchdog: w,
		limits:   l,
		isStream: strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "event-stream"),
	}
}

// streamReader fails when it has read more than most bytes.
type streamReader struct {
	timedReader
	left, most int
}

// Read implements io.Reader.
func (r *streamReader) Read(p []byte) (int, error) {
	n, err := r.timedReader.Read(p)
	if r.left -= n; r.left < 0 {
		return 0, overLimit("stream_bytes", r.most)
	}
	return n, err
}

// signsOfLife is how long after a frame comments are skipped: a server may send many.
const signsOfLife = 5 * time.Second

func (r *frameReader) next() (frame, error) {
	for r.err == nil {
		f := r.read()
		if f.kind == frameNone {
			continue
		}
		r.skipComments = time.Now().Add(signsOfLife)
		if f.data != nil {
			r.watchdog.dataReceived()
		}
		return f, nil
	}
	return frame{}, r.err
}

const headBytes = 4 * maxQuote

func (r *frameReader) read() frame {
	if !r.begun {
		r.begun = true
		if strings.IndexByte("{[<", r.first()) >= 0 {
			return r.document()
		}
	}
	isError := false
	for r.data = r.data[:0]; r.err == nil; {
		line := r.line()
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "":
			switch isBlank := len(line) == 0; {
			case isBlank && len(r.data) > 0 && r.err == nil:
				return r.event(isError, frameEvent)
			case isBlank:
				isError = false
				continue
			case len(r.data) == 0 && !isError && !time.Now().Before(r.skipComments):
				r.recognized = true
				return frame{kind: frameComment}
			}
		case "event":
			isError = string(value) == "error"
		case "data", "error": // llama.cpp sends an error in a field of that name
			isError = isError || string(name) == "error"
			r.addData(value)
		case "id", "retry":
		default:
			r.head = append(append(r.head, line...), '\n')
			r.head = r.head[:min(len(r.head), headBytes)]
			continue
		}
		r.recognized = true
	}
	switch limit := (*wireError)(nil); {
	case errors.As(r.err, &limit): // what came before it is not all of an event
	case len(r.data) > 0:
		return r.event(isError, frameCut)
	case r.err == io.EOF && !r.recognized && (len(r.head) > 0 || !r.isStream):
		return frame{frameDocument, r.head}
	}
	return frame{}
}

func (r *frameReader) event(isError bool, kind frameKind) frame {
	switch {
	case bytes.EqualFold(bytes.TrimSpace(r.data), []byte("[DONE]")):
		return frame{kind: frameDone}
	case isError:
		kind = frameError
	}
	return frame{kind, r.data}
}

// first skips white space and a byte-order mark, and returns the first byte after them, or 0 at
// the end of the body.
func (r *frameReader) first() byte {
	for range r.limits.Event {
		first, err := r.in.Peek(1)
		if r.err = err; err != nil {
			return 0
		}
		if strings.IndexByte(" \t\r\n\xEF\xBB\xBF", first[0]) < 0 {
			return first[0]
		}
		_, r.err = r.in.Discard(1)
	}
	r.err = overLimit("event_bytes", r.limits.Event)
	return 0
}

// document reads a body that is not a stream. A line break within a string, which
// JSON does not allow, becomes a space.
func (r *frameReader) document() frame {
	doc, err := readAll(r.in, r.limits.Event)
	if r.err = err; err != nil {
		return frame{}
	}
	r.err = io.EOF
	return frame{frameDocument, bytes.ReplaceAll(bytes.TrimSpace(doc), []byte("\n"), []byte(" "))}
}

// readAll returns a body of at most so many bytes.
func readAll(body io.Reader, most int) ([]byte, error) {
	all, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	if err == nil && len(all) > most {
		err = overLimit("event_bytes", most)
	}
	return all, err
}

// line returns the next line without its end, valid until the next call. An incomplete last
// line comes together with an error.
func (r *frameReader) line() []byte {
	for r.buf = r.buf[:0]; ; {
		var piece []byte
		piece, r.err = r.in.ReadSlice('\n')
		r.buf = append(r.buf, piece...)
		switch {
		case len(r.buf) > r.limits.Event:
			r.err = overLimit("event_bytes", r.limits.Event)
			return nil
		case r.err != bufio.ErrBufferFull:
			return bytes.TrimRight(r.buf, "\r\n")
		}
	}
}

// addData adds a line to the data of an event. The standard puts a line feed between lines.
// Between tokens of JSON a space is the same, and within a string, which some servers cut, JSON
// allows no line feed.
func (r *frameReader) addData(line []byte) {
	switch {
	case len(r.data)+len(line) >= r.limits.Event:
		r.err = overLimit("event_bytes", r.limits.Event)
	case len(r.data) > 0:
		r.data = append(append(r.data, ' '), line...)
	case len(bytes.TrimSpace(line)) > 0:
		r.data = append(r.data, line...)
	}
}
