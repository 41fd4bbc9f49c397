package acp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// The variables by which a bridge finds the tools of its turn.
const (
	socketVariable = "ROUNDTABLE_TOOLS_SOCKET"
	secretVariable = "ROUNDTABLE_TOOLS_SECRET"
)

// Bridge passes the messages of an agent on to the tools of its turn, and the answers back.
// An agent that takes MCP servers only as programs starts a command that calls it; env
// looks up the variables that the agent was told to give it. It returns when either side
// has ended.
func Bridge(in io.Reader, out io.Writer, env func(string) (string, bool)) error {
	socket, ok := env(socketVariable)
	secret, there := env(secretVariable)
	if !ok || !there {
		return errors.New("this command is started by agents, to reach the tools of a debate")
	}
	conn, err := net.DialTimeout("unix", socket, 10*time.Second)
	if err != nil {
		return fmt.Errorf("reach the debate: %w", err)
	}
	defer conn.Close() //nolint:errcheck // what was to say was said
	if _, err := io.WriteString(conn, secret+"\n"); err != nil {
		return fmt.Errorf("reach the debate: %w", err)
	}
	ended := make(chan error, 2)
	go func() {
		_, err := io.Copy(conn, in)
		ended <- err
	}()
	go func() {
		_, err := io.Copy(out, conn)
		ended <- err
	}()
	return <-ended
}
