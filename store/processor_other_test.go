//go:build !unix

package store_test

import "time"

// processorTime returns 0: it is only measured on Unix.
func processorTime() time.Duration { return 0 }
