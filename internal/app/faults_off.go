//go:build !crashpoints

package app

import "roundtable/debate/engine"

// faultyParts returns the options unchanged.
func faultyParts(o engine.Options) engine.Options { return o }
