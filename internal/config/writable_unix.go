//go:build linux || darwin || freebsd

package config

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
		p, err := placeAt(path)
		if err != nil {
			return notices, err
		}
		notice, err := p.judge(os.Getuid(), os.Getgid())
		if err != nil {
			return notices, err
		}
		if notice != "" {
			notices = append(notices, notice)
		}
	}
	return notices, nil
}

type place struct {
	path     string
	mode     fs.FileMode
	uid, gid int
	modes    bool // the file system stores who may do what
	trusted  int  // one more user who may own it, or -1
}

func placeAt(path string) (place, error) {
	info, err := os.Stat(path)
	if err != nil {
		return place{}, fmt.Errorf("check who can change the config: %w", err)
	}
	p := place{path: path, mode: info.Mode(), modes: hasModes(path), trusted: -1}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		p.uid, p.gid = int(st.Uid), int(st.Gid)
	}
	if owner, ok := mountOwner(path); ok {
		p.trusted = owner
	}
	return p, nil
}

// judge returns an error if a user other than uid and root can change the place, and a
// notice where that is not certain.
func (p place) judge(uid, gid int) (notice string, err error) {
	what := p.path
	if p.mode.IsDir() {
		what = "the folder " + p.path + " of the config"
	}
	perm := p.mode.Perm()
	if p.mode.IsDir() && p.mode&fs.ModeSticky != 0 {
		perm = 0 // nobody can replace a file of somebody else there
	}
	switch {
	case p.uid != uid && p.uid != 0 && p.uid != p.trusted:
		sudo := "sudo "
		if uid == 0 {
			sudo = ""
		}
		err = fmt.Errorf("%s belongs to user %d, who could have any program run as you; if you trust what it says, run: %s%s",
			what, p.uid, sudo, text.ShellCommand("chown", strconv.Itoa(uid), p.path))
	case perm&0o002 != 0:
		err = fmt.Errorf("others can write %s and so have any program run as you; check what it says, then run: %s", what,
			text.ShellCommand("chmod", "o-w", p.path))
	case perm&0o020 != 0 && p.gid != gid && p.modes:
		return fmt.Sprintf("the group %d can write %s and so have any program run as you; to prevent it, run: %s",
			p.gid, what, text.ShellCommand("chmod", "g-w", p.path)), nil
	}
	if err != nil && !p.modes {
		return fmt.Sprintf("the file system of %s does not store who may write it; keep the config where only you can write", p.path), nil
	}
	return "", err
}
