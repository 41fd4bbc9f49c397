package store

import "io/fs"

// noFollow has no counterpart: a link needs rights that users do not have.
const noFollow = 0

// writable reports whether the file is not marked as read-only.
func writable(_ string, info fs.FileInfo) bool { return info.IsDir() || info.Mode()&0o200 != 0 }

// The other bits of a mode say nothing here; rights come from the folder.
func readable(string) bool             { return true }
func mine(fs.FileInfo) bool            { return true }
func loosened(fs.FileInfo) fs.FileMode { return 0 }

// pidOffset is where the pid stands in the file of a lock: behind the byte that
// is locked, which nobody else can read.
const pidOffset = 1
