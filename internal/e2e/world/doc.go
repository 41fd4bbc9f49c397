// Package world plays whole worlds from a seed: a machine whose disk can fail and lose power,
// processes with the program's store, engine and front ends, scripted models and a user, all in
// a bubble of virtual time. It has tests only, and docs/testing.md says how to read their
// failures. What is left of files after the power was lost comes from package disk, so that
// they run on Linux with a C compiler.
package world
