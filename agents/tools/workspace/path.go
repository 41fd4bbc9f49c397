package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// RefusedError says that a path may not be used, and by which rule. It is worded for the
// model that asked for the path.
type RefusedError struct {
	Path string // as it was asked for
	Rule string
}

// Error returns the path and the rule.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is refused: %s. Use a path relative to the workspace, such as src/main.go.", quote(e.Path), e.Rule)
}

// quote quotes a path that a model wrote, which may be of any length.
func quote(p string) string { return fmt.Sprintf("%q", text.Clip(legible(p), 200)) }

const maxPath = 4096 // bytes

const (
	ruleSecret  = "it looks as if it held keys or passwords, and such files are not shown"
	ruleSpecial = "only files and folders are read, and this is a "
)

// checkPath returns the path in its shortest form, or a *RefusedError for one that no
// workspace has.
func checkPath(p string) (string, error) {
	rule := ""
	switch {
	case p == "":
		return ".", nil
	case len(p) > maxPath:
		rule = "it is longer than 4,096 bytes"
	case strings.ContainsRune(p, 0):
		rule = "it contains a NUL"
	case strings.TrimSpace(p) != p:
		rule = "it begins or ends with a space or a line break"
	case isAbsolute(p):
		rule = "absolute paths are not allowed"
	case strings.HasPrefix(p, "~"):
		rule = "~ is not allowed"
	}
	for e := range strings.SplitSeq(filepath.ToSlash(p), "/") {
		switch {
		case rule != "":
		case e == "..":
			rule = `".." is not allowed`
		case isGit(e):
			rule = "the folder .git is not shown"
		}
	}
	if rule != "" {
		return "", &RefusedError{p, rule}
	}
	return path.Clean(filepath.ToSlash(p)), nil
}

const isWindows = runtime.GOOS == "windows"

// isAbsolute reports whether the path is absolute on this system. On Windows a colon names
// a drive or another stream of a file.
func isAbsolute(p string) bool {
	return p[0] == '/' || p[0] == '\\' || filepath.IsAbs(p) || isWindows && strings.Contains(p, ":")
}

// isGit reports whether a name is git's folder, also where case does not matter, and where
// Windows drops its end or gives it a short name.
func isGit(name string) bool {
	if isWindows {
		name = strings.TrimRight(name, ". ")
	}
	return strings.EqualFold(name, ".git") || isWindows && strings.EqualFold(name, "git~1")
}

// resolve returns a path in its shortest form, and what is there. It refuses what the rules do
// not allow. A path that changes afterwards is checked again when os.Root opens it.
func resolve(root *os.Root, p string) (string, fs.FileInfo, error) {
	at, err := checkPath(p)
	if err != nil {
		return "", nil, err
	}
	info, err := lookAt(root, p, at)
	if err != nil {
		return "", nil, err
	}
	if _, ignored := rulesTo(root, at, info.IsDir()); ignored {
		return "", nil, &RefusedError{p, "a .gitignore leaves it out, and such files are not shown"}
	}
	if !info.IsDir() && secret.File(at) {
		return "", nil, &RefusedError{p, ruleSecret}
	}
	return at, info, nil
}

// lookAt returns what is at a path. It follows no link.
func lookAt(root *os.Root, asked, clean string) (info fs.FileInfo, err error) {
	at := "."
	for name := range strings.SplitSeq(clean, "/") {
		at = path.Join(at, name)
		if info, err = root.Lstat(at); err != nil {
			return nil, reason(asked, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, _ := root.Readlink(at) //nolint:errcheck // it is only named
			return nil, &RefusedError{asked, fmt.Sprintf("%s is a link to %s, and links are not followed", quote(at), quote(to))}
		}
	}
	return info, nil
}

// reason words an error of the system without the paths of this machine.
func reason(asked string, err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w in the workspace", quote(asked), fs.ErrNotExist)
	case errors.As(err, &pathErr):
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	}
	return fmt.Errorf("%s cannot be read: %w", quote(asked), err)
}

// openRegular opens a file to read it. It refuses everything else at once: a FIFO waits
// for a writer, and a device has no end.
func openRegular(root *os.Root, name, asked string) (*os.File, fs.FileInfo, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, nil, reason(asked, err)
	}
	if err := checkRegular(asked, info); err != nil {
		return nil, nil, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, reason(asked, err)
	}
	info, err = f.Stat()
	if err == nil {
		err = checkRegular(asked, info)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func checkRegular(asked string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s is a folder: use list_dir", quote(asked))
	case !info.Mode().IsRegular():
		return &RefusedError{asked, ruleSpecial + kindOf(info.Mode())}
	case linkCount(info) > 1:
		return &RefusedError{asked, "the file has another hard link, which may be outside of the workspace"}
	}
	return nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "link"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	default:
		return "special file"
	}
}
