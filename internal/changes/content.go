package changes

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/internal/text"
)

type content struct {
	text string // as lines that end with \n; "" if it is not text
	size int64
	form string // how the text differs from what is stored, such as "UTF-16"; "" if it does not

	unshown string // what is not shown of it, such as "binary"; "" if all is text
	known   string // the kind of a binary file that its name and its first bytes agree on, such as "PNG"
}

func (r *repo) contentOf(ctx context.Context, v version) (content, error) {
	switch v.mode {
	case "":
		return content{}, nil
	case modeSubmodule:
		return content{text: "Subproject commit " + v.id + "\n"}, nil
	}
	if err := r.startBlobs(ctx); err != nil {
		return content{}, err
	}
	raw, size, err := r.blobs.read(v.id, maxBlob)
	if err != nil {
		return content{}, err
	}
	c := content{size: size, known: knownKind(v.path, raw)}
	if sum, stored := pointer(raw); sum != "" {
		c.text, c.size, c.unshown = string(raw), stored, "a file in Git LFS"
		c.known = knownKind(v.path, r.head(v.path, sum))
		return c, nil
	}
	if size > maxBlob {
		c.unshown = tooLarge(size)
		return c, nil
	}
	plain, form, ok := decode(raw)
	if !ok || c.known != "" && !mostlyText(raw[:min(len(raw), sniffed)]) {
		c.unshown = "binary"
		return c, nil
	}
	c.text, c.form, c.known = plain, form, ""
	return c, nil
}

// head returns the beginning of a file of the working tree that has a SHA-256.
func (r *repo) head(path, sum string) []byte {
	full := filepath.Join(r.root, filepath.FromSlash(path))
	if same, err := hasSum(full, sum); !same || err != nil {
		return nil
	}
	f, err := os.Open(full)
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // it was only read
	head := make([]byte, 64)
	n, _ := f.Read(head) //nolint:errcheck // what cannot be read is of no known kind
	return head[:n]
}

// sniffed is how much of a file tells whether it is text, in bytes.
const sniffed = 8 << 10

// decode returns text as UTF-8 without NULs, and how it differs from what was read; ok is false
// if it is binary.
func decode(raw []byte) (plain, form string, ok bool) {
	var forms []string
	if decoded, name, ok := text.DecodeWide(raw); ok && name != "" {
		raw, forms = decoded, append(forms, name)
	} else if bytes.HasPrefix(raw, []byte("\ufeff")) {
		raw, forms = raw[3:], append(forms, "UTF-8 with a byte order mark")
	}
	if bytes.IndexByte(raw, 0) >= 0 && !mostlyText(raw[:min(len(raw), sniffed)]) {
		return "", "", false
	}
	var b strings.Builder
	odd := 0
	for len(raw) > 0 {
		c, n := utf8.DecodeRune(raw)
		switch {
		case c == utf8.RuneError && n == 1:
			c = rune(raw[0])
			odd++
		case c == 0:
			c = '␀'
		}
		b.WriteRune(c)
		raw = raw[n:]
	}
	if odd > 0 {
		forms = append(forms, text.Count(odd, "byte")+" not UTF-8, read as Latin-1")
	}
	return b.String(), strings.Join(forms, ", "), true
}

// setLineEnds makes all lines of two versions end with \n. Line ends of CRLF are left out where
// no line has another, else carriage returns get a sign.
func setLineEnds(both ...*content) {
	pure, some := true, false
	for _, c := range both {
		n := strings.Count(c.text, "\r\n")
		some = some || n > 0
		pure = pure && n == strings.Count(c.text, "\n")
	}
	for _, c := range both {
		if pure && some && c.text != "" {
			c.text = strings.ReplaceAll(c.text, "\r\n", "\n")
			c.form = strings.TrimPrefix(c.form+", CRLF line ends", ", ")
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

// kinds are images, fonts, sound and archives: the ends of their names, and their first bytes
// after an offset.
var kinds = []struct {
	name  string
	ends  []string
	at    int
	first []string
}{
	{"PNG image", []string{".png"}, 0, []string{"\x89PNG\r\n\x1a\n"}},
	{"JPEG image", []string{".jpg", ".jpeg"}, 0, []string{"\xff\xd8\xff"}},
	{"GIF image", []string{".gif"}, 0, []string{"GIF87a", "GIF89a"}},
	{"WebP image", []string{".webp"}, 8, []string{"WEBP"}},
	{"BMP image", []string{".bmp"}, 0, []string{"BM"}},
	{"TIFF image", []string{".tif", ".tiff"}, 0, []string{"II*\x00", "MM\x00*"}},
	{"icon", []string{".ico"}, 0, []string{"\x00\x00\x01\x00"}},
	{"icon", []string{".icns"}, 0, []string{"icns"}},
	{"AVIF or HEIC image", []string{".avif", ".heic"}, 4, []string{"ftyp"}},
	{"font", []string{".woff", ".woff2"}, 0, []string{"wOFF", "wOF2"}},
	{"font", []string{".ttf", ".otf", ".ttc"}, 0, []string{"\x00\x01\x00\x00", "OTTO", "true", "ttcf"}},
	{"sound", []string{".mp3"}, 0, []string{"ID3", "\xff\xfb", "\xff\xf3", "\xff\xf2"}},
	{"sound", []string{".wav"}, 8, []string{"WAVE"}},
	{"sound", []string{".ogg", ".opus"}, 0, []string{"OggS"}},
	{"sound", []string{".flac"}, 0, []string{"fLaC"}},
	{"sound", []string{".m4a"}, 4, []string{"ftyp"}},
	{"archive", []string{".zip"}, 0, []string{"PK\x03\x04", "PK\x05\x06"}},
	{"archive", []string{".gz", ".tgz"}, 0, []string{"\x1f\x8b"}},
	{"archive", []string{".bz2"}, 0, []string{"BZh"}},
	{"archive", []string{".xz"}, 0, []string{"\xfd7zXZ\x00"}},
	{"archive", []string{".zst"}, 0, []string{"\x28\xb5\x2f\xfd"}},
	{"archive", []string{".7z"}, 0, []string{"7z\xbc\xaf\x27\x1c"}},
	{"archive", []string{".tar"}, 257, []string{"ustar"}},
}

// knownKind returns what a file is if its name and its first bytes agree on it; else "".
func knownKind(name string, raw []byte) string {
	end := strings.ToLower(path.Ext(name))
	for _, k := range kinds {
		begins := func(first string) bool { return len(raw) > k.at && bytes.HasPrefix(raw[k.at:], []byte(first)) }
		if slices.Contains(k.ends, end) && slices.ContainsFunc(k.first, begins) {
			return k.name
		}
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
