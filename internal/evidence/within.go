package evidence

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"roundtable/internal/text"
)

// Within returns the source at a path that is in one of the folders, which it does not leave.
// A relative path starts at the first folder that has it.
func Within(folders []string, path string) (Source, error) {
	var missing Source
	for _, folder := range folders {
		for _, root := range []string{folder, realPath(folder)} {
			full := path
			if !filepath.IsAbs(path) {
				full = filepath.Join(root, path)
			}
			rel, err := filepath.Rel(root, full)
			if err != nil || !filepath.IsLocal(rel) {
				continue
			}
			src := Source{Path: full, Name: nameOf(rel), Root: root}
			if _, err := statIn(src); !errors.Is(err, fs.ErrNotExist) {
				return src, nil
			}
			missing = src
		}
	}
	if missing.Root != "" {
		return missing, nil
	}
	return Source{}, &Refusal{
		Name: text.Clip(nameOf(path), maxName), Reason: "is outside of the folders that may be read",
		Advice: "They are: " + cmp.Or(text.Line(text.List(folders)), "none") + ".",
	}
}

const maxName = 200

// FolderWithin returns the real path of a folder that is in one of the folders.
func FolderWithin(folders []string, path string) (string, error) {
	src, err := Within(folders, path)
	if err != nil {
		return "", err
	}
	info, err := statIn(src)
	switch {
	case err != nil:
		return "", unreadable(src.Name, err)
	case !info.IsDir():
		return "", &Refusal{Name: src.Name, Reason: "is not a folder", Advice: "Name the folder that it is in."}
	}
	return realPath(src.Path), nil
}

// realPath returns a path without links; as it is if it cannot be followed.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
