package config

import "io/fs"

// Judge judges a place of user 1000 in group 100; the place's group is 200.
func Judge(path string, mode fs.FileMode, owner, trusted int, modes bool) (notice string, err error) {
	return place{path: path, mode: mode, uid: owner, gid: 200, modes: modes, trusted: trusted}.judge(1000, 100)
}
