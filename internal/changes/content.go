package changes

import (
	"bytes"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/internal/text"
)

type content struct {
	text string // as lines that end with \n; "" if it is not text
	size int64

	unshown string // what is not shown of it, such as "binary"; "" if all is text
	known   string // the kind of a binary file that its name and its first bytes agree on, such as "image/png"
}

func (r *repo) contentOf(v version) (content, error) {
	switch v.mode {
	case "":
		return content{}, nil
	case modeSubmodule:
		return content{text: "Subproject commit " + v.id + "\n"}, nil
	}
	raw, size, err := r.blobs.read(v.id, maxBlob)
	if err != nil {
		return content{}, err
	}
	c := content{size: size, known: knownKind(v.path, raw)}
	if size > maxBlob {
		c.unshown = tooLarge(size)
		return c, nil
	}
	plain, ok := decode(raw)
	if !ok || c.known != "" && !mostlyText(raw[:min(len(raw), sniffed)]) {
		c.unshown = "binary"
		return c, nil
	}
	c.text, c.known = plain, ""
	if size < maxPointer && strings.HasPrefix(plain, "version https://git-lfs.github.com/spec/") &&
		strings.Contains(plain, "\noid sha256:") {
		c.unshown = "a pointer to a file in Git LFS"
	}
	return c, nil
}

const maxPointer = 1024 // bytes, by the specification of Git LFS

// sniffed is how much of a file tells whether it is text, in bytes.
const sniffed = 8 << 10

// decode returns text as UTF-8 without NULs, in which bytes that are not UTF-8 are Latin-1; ok is
// false if it is binary.
func decode(raw []byte) (plain string, ok bool) {
	if decoded, _, ok := text.DecodeWide(raw); ok {
		raw = decoded
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if bytes.IndexByte(raw, 0) >= 0 && !mostlyText(raw[:min(len(raw), sniffed)]) {
		return "", false
	}
	var b strings.Builder
	for len(raw) > 0 {
		c, n := utf8.DecodeRune(raw)
		switch {
		case c == utf8.RuneError && n == 1:
			c = rune(raw[0])
		case c == 0:
			c = '␀'
		}
		b.WriteRune(c)
		raw = raw[n:]
	}
	return b.String(), true
}

// setLineEnds makes all lines of two versions end with \n. Line ends of CRLF are left out where
// no line has another, else carriage returns get a sign.
func setLineEnds(both ...*content) {
	pure := true
	for _, c := range both {
		pure = pure && strings.Count(c.text, "\r\n") == strings.Count(c.text, "\n")
	}
	for _, c := range both {
		if pure {
			c.text = strings.ReplaceAll(c.text, "\r\n", "\n")
		}
		c.text = strings.ReplaceAll(c.text, "\r", "␍")
	}
}

// mostlyText reports whether nine tenths of the bytes are text.
func mostlyText(head []byte) bool {
	good := 0
	for rest := head; len(rest) > 0; {
		c, n := utf8.DecodeRune(rest)
		if strings.ContainsRune("\t\n\r\f", c) || c != utf8.RuneError && unicode.IsPrint(c) {
			good += n
		}
		rest = rest[n:]
	}
	return 10*good >= 9*len(head)
}

// kinds are the ends of the names of images, fonts, sound and archives that http.DetectContentType
// knows.
var kinds = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg .jpeg", "image/gif": ".gif", "image/webp": ".webp", "image/bmp": ".bmp",
	"image/x-icon": ".ico", "font/ttf": ".ttf", "font/otf": ".otf", "font/woff": ".woff", "font/woff2": ".woff2",
	"audio/mpeg": ".mp3", "audio/wave": ".wav", "application/ogg": ".ogg .opus", "application/zip": ".zip",
	"application/x-gzip": ".gz .tgz",
}

// knownKind returns what a file is if its name and its first bytes agree on it; else "".
func knownKind(name string, raw []byte) string {
	kind := http.DetectContentType(raw)
	if slices.Contains(strings.Fields(kinds[kind]), strings.ToLower(path.Ext(name))) {
		return kind
	}
	return ""
}

func sizes(old, new content, had, has bool) string {
	switch {
	case had && has:
		return fmt.Sprintf("%s before, %s after", text.Bytes(old.size), text.Bytes(new.size))
	case had:
		return text.Bytes(old.size) + " before"
	}
	return text.Bytes(new.size)
}
