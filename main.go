// Command roundtable lets several language models debate a question side by
// side, asks the user for the facts they lack, and waits for the answers.
package main

import (
	"context"
	_ "embed"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"roundtable/internal/cli"
)

//go:embed config.example.toml
var example []byte

// memoryLimit is from where on garbage is collected more often, in bytes. A debate of
// 63 MB of text needs about 140 MB of it.
const memoryLimit = 155 << 20

// spareThreads is how many more threads run Go code than there are processors. A key is
// then handled as soon as the system gives the interface its share of a processor, and does
// not wait behind turns in a queue of the runtime, for up to 10 ms each.
const spareThreads = 2

func main() {
	if os.Getenv("GOMAXPROCS") == "" { // later, since it would delay the first frame
		time.AfterFunc(time.Second, func() { runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spareThreads) })
	}
	if os.Getenv("GOGC") == "" {
		// Most of what is allocated before the first frame stays in use: collecting it
		// twice would only delay the frame.
		usual := debug.SetGCPercent(400)
		time.AfterFunc(time.Second, func() { debug.SetGCPercent(usual) })
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	os.Exit(cli.Main(context.Background(), cli.Process{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.LookupEnv, Example: example,
	}))
}
