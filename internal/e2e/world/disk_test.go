package world_test

import (
	"errors"
	"math/rand/v2"

	"roundtable/store"
)

var (
	errFull   = errors.New("full")
	errBroken = errors.New("broken")
)

// machine is what the world needs of a disk.
type machine interface {
	Dead() bool
	DieAfter(int)
	FailNext(int, error)
	Failing() bool
	Restart(*rand.Rand, bool) (string, error)
	Options(store.Options) store.Options
	Close()
}

type plainDisk struct{ dead bool }

func watch(string) machine                                    { return &plainDisk{} }
func (d *plainDisk) Dead() bool                               { return d.dead }
func (d *plainDisk) DieAfter(n int)                           { d.dead = n == 0 }
func (d *plainDisk) FailNext(int, error)                      {}
func (d *plainDisk) Failing() bool                            { return false }
func (d *plainDisk) Restart(*rand.Rand, bool) (string, error) { d.dead = false; return "", nil }
func (d *plainDisk) Options(o store.Options) store.Options    { return o }
func (d *plainDisk) Close()                                   {}
