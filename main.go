// Command roundtable lets several language models debate a question side by
// side, asks the user for the facts they lack, and waits for the answers.
package main

import (
	"context"
	_ "embed"
	"os"
	"runtime/debug"
	"time"

	"roundtable/internal/cli"
)

//go:embed config.example.toml
var example []byte

// memoryLimit is from where on garbage is collected more often, in bytes. A debate of
// 63 MB of text needs about 140 MB of it.
const memoryLimit = 155 << 20

func main() {
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
