//go:build unix

package file

import "syscall"

// NoFollow is a flag of os.OpenFile that makes opening a symbolic link an error.
const NoFollow = syscall.O_NOFOLLOW
