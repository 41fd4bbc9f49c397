package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"roundtable/internal/secret"
)

// maxChecked is how much of a file is searched for keys, in bytes.
const maxChecked = 2 << 20

// openReadable opens a file of the workspace that may be shown: a regular one that does not
// look as if it held keys or passwords.
func openReadable(root *os.Root, name, asked string) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegular(root, name, asked)
	if err != nil {
		return nil, nil, err
	}
	if secret.File(name) || holdsKey(f, info.Size()) {
		return nil, nil, errors.Join(&RefusedError{asked, ruleSecret}, f.Close())
	}
	return f, info, nil
}

// holdsKey reports whether the beginning of a text file holds a key. What cannot be read is
// reported by the read that follows.
func holdsKey(f io.ReaderAt, size int64) bool {
	head := make([]byte, min(size, maxChecked))
	n, _ := f.ReadAt(head, 0) //nolint:errcheck // see above
	head = head[:n]
	return bytes.IndexByte(head[:min(n, sniffed)], 0) < 0 && secret.Holds(string(head))
}
