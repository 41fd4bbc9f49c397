// Package disk records what is written below a folder and puts into place what is left of it
// after a machine died: a random part of what was not made durable. It wraps the default file
// system layer of SQLite, so that databases are opened as always. Shared memory is not
// recorded: it never outlasts a machine.
//
// Only tests import it, on Linux and with cgo. It imports internal/file.
package disk
