// Package ramdisk puts the temporary directories of a test binary into memory
// when it is imported, where the system has a RAM disk. Tests that write a
// database for every debate otherwise wait for the disk most of their time, and
// the longer the more others use it.
//
// It respects TMPDIR where that is set. Only tests import it.
package ramdisk
