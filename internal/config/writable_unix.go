//go:build linux || darwin || freebsd

package config

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"roundtable/internal/text"
)

// WritableByOthers returns an error, with the command that mends it, if others can change
// the file, since it names programs that are run. It returns notices for what is only
// doubtful. A file that is no regular one, such as a pipe, is not checked.
func WritableByOthers(path string) (notices []string, err error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, nil //nolint:nilerr // whoever reads the file reports it
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("find the config: %w", err)
	}
	checked := []string{target, filepath.Dir(path)}
	if folder := filepath.Dir(target); !slices.Contains(checked, folder) {
		checked = append(checked, folder)
	}
	for _, path := range checked {
		info, err := os.Stat(path)
		if err != nil {
			return notices, fmt.Errorf("check who can change the config: %w", err)
		}
		notice, err := judge(path, info)
		if err != nil {
			return notices, err
		}
		if notice != "" {
			notices = append(notices, notice)
		}
	}
	return notices, nil
}

// judge returns an error if a user other than this one and root can change a file or folder, and
// a notice if a group can.
func judge(path string, info fs.FileInfo) (notice string, err error) {
	what, perm := path, info.Mode().Perm()
	if info.IsDir() {
		what = "the folder " + path + " of the config"
	}
	if info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		perm = 0 // nobody can replace a file of somebody else there
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && st.Uid != 0 && int(st.Uid) != os.Getuid():
		return "", fmt.Errorf("%s belongs to user %d, who could have any program run as you; if you trust what it says, "+
			"keep a copy where only you can write, and name it with --config", what, st.Uid)
	case perm&0o002 != 0:
		return "", fmt.Errorf("others can write %s and so have any program run as you; check what it says, then keep it where only "+
			"you can write, or run: %s", what, text.Command([]string{"chmod", "o-w", path}))
	case ok && perm&0o020 != 0 && int(st.Gid) != os.Getgid():
		return fmt.Sprintf("the group %d can write %s and so have any program run as you; to prevent it, run: %s",
			st.Gid, what, text.Command([]string{"chmod", "g-w", path})), nil
	}
	return "", nil
}
