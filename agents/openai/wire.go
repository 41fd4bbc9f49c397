package openai

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// The kinds of line that the wire hands to the decoder.
const (
	tagData    = 'd' // an event
	tagTail    = 't' // an event that the stream's end cut off, or all but its last line end
	tagError   = 'e' // an event that says it is an error
	tagWhole   = 'w' // a document instead of a stream
	tagDone    = 'D' // the end as the protocol has it
	tagComment = 'q' // the server is alive
)

// wire is a response's body in the only form that go-openai's reader keeps
// intact: one line an event, "data: " and a tag before it. The tag keeps that
// reader from taking errors and [DONE] for itself.
type wire struct {
	sse    *sseReader
	body   io.Closer
	guard  *guard
	stream bool // the server calls it an event stream

	out   []byte // what is not handed out yet begins at off
	off   int
	err   error
	begun bool
}

func newWire(resp *http.Response, g *guard, l Limits) *wire {
	var src io.Reader = guarded{resp.Body, g}
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		src = &lazyGzip{src: src}
	}
	return &wire{
		sse:    &sseReader{src: src, limits: l, tell: true},
		body:   resp.Body,
		guard:  g,
		stream: strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "event-stream"),
	}
}

// Close closes the response's body.
func (w *wire) Close() error { return w.body.Close() }

// Read hands out tagged lines.
func (w *wire) Read(p []byte) (int, error) {
	for w.off == len(w.out) {
		if w.err != nil {
			return 0, w.err
		}
		w.out, w.off = w.out[:0], 0
		w.produce()
	}
	n := copy(p, w.out[w.off:])
	w.off += n
	return n, nil
}

func (w *wire) produce() {
	if !w.begun {
		w.begun = true
		if strings.IndexByte("{[<", w.sse.first()) >= 0 {
			w.document()
			return
		}
	}
	ev, err := w.sse.next()
	w.err = err
	switch {
	case ev.comment:
		w.sse.tell = false
		w.line(tagComment, nil)
	case len(ev.data) == 0:
	case isDone(ev.data):
		w.line(tagDone, nil)
	case ev.bad || ev.name == "error":
		w.payload(tagError, ev.data)
	case err != nil:
		w.payload(tagTail, ev.data)
	default:
		w.payload(tagData, ev.data)
	}
	if err == io.EOF && !w.sse.known && (len(w.sse.head) > 0 || !w.stream) {
		w.line(tagWhole, w.sse.head)
	}
}

func (w *wire) document() {
	doc, err := w.sse.rest()
	if w.err = err; err != nil {
		return
	}
	w.payload(tagWhole, doc)
	w.err = io.EOF
}

func (w *wire) payload(tag byte, data []byte) {
	w.guard.payload()
	w.sse.tell = false
	w.line(tag, data)
}

func (w *wire) line(tag byte, data []byte) {
	w.out = append(append(w.out, "data: "...), tag)
	from := len(w.out)
	w.out = append(w.out, data...)
	for i := from; i < len(w.out); {
		j := bytes.IndexByte(w.out[i:], '\n')
		if j < 0 {
			break
		}
		w.out[i+j] = ' ' // between tokens of JSON it is the same
		i += j + 1
	}
	w.out = append(w.out, '\n')
}

// lazyGzip unpacks a body that a server compressed unasked. Its header is
// read with the first byte and not before, when the clock runs.
type lazyGzip struct {
	src io.Reader
	zip *gzip.Reader
}

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
