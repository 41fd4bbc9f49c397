// Package e2e holds the tests of the whole program: they run it as a user does,
// in a pseudo-terminal or as a command, and they check rules that hold for the
// source of the whole module.
//
// Its packages endpoint, noise and ramdisk are test support for other packages too. Only
// tests import them.
package e2e
