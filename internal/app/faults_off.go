//go:build !crashpoints

package app

import "roundtable/debate/engine"

func faultyParts(o engine.Options) engine.Options { return o }
