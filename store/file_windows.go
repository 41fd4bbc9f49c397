package store

import "io/fs"

// writable reports whether path is a folder or a file that is not marked read-only.
func writable(_ string, info fs.FileInfo) bool { return info.IsDir() || info.Mode()&0o200 != 0 }

// The mode of a file says nothing about access, which it inherits from its folder.
func openToOthers(fs.FileInfo) bool { return false }

// holderOffset is the position of the holder in a lock file. The first byte is
// the one that is locked, which other processes cannot read.
const holderOffset = 1
