package changes

import (
	"net/http"
	"path"
	"slices"
	"strings"

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
	plain, _, ok := text.Decode(raw)
	if !ok || c.known != "" && !text.MostlyText(raw) {
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
