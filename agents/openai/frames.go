package openai

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"time"
)

// frameKind tells what a frame is.
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

// frame is one step of a response body.
type frame struct {
	kind frameKind
	data []byte // valid until the next frame is read
}

// frameReader reads a response body, be it an event stream or one document.
type frameReader struct {
	sse      *sseReader
	body     io.Closer
	watchdog *watchdog
	isStream bool // the server calls it an event stream
	begun    bool
	err      error
}

func newFrameReader(resp *http.Response, w *watchdog, l Limits) *frameReader {
	var src io.Reader = timedReader{resp.Body, w}
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		src = &lazyGzip{src: src}
	}
	return &frameReader{
		sse:      &sseReader{src: src, limits: l},
		body:     resp.Body,
		watchdog: w,
		isStream: strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "event-stream"),
	}
}

// close closes the response body.
func (r *frameReader) close() {
	r.body.Close() //nolint:errcheck // nothing more is wanted of it
}

// signsOfLife is how long after a frame comments are skipped: a server may send many.
const signsOfLife = 5 * time.Second

// next returns the next frame. The error of the body comes after its last frame.
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

// lazyGzip decompresses a body that a server compressed unasked. It reads the
// header with the first byte and not before, so that the wait for it is timed.
type lazyGzip struct {
	src io.Reader
	zip *gzip.Reader
}

// Read implements io.Reader.
func (l *lazyGzip) Read(p []byte) (int, error) {
	if l.zip == nil {
		zip, err := gzip.NewReader(bufio.NewReader(l.src))
		if err != nil {
			return 0, err
		}
		l.zip = zip
	}
	return l.zip.Read(p)
}
