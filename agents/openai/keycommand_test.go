//go:build unix

package openai_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"roundtable/agents/openai"
)

func init() {
	keyCommands["session"] = session
	keyCommands["child"] = child
	keyCommands["child left behind"] = func() {
		leaveChild()
		os.Stdout.WriteString("sk-1\n")
	}
}

// child connects to the address of the environment and stays for an hour.
func child() {
	conn, err := net.Dial("tcp", os.Getenv("OPENAI_TEST_ADDRESS"))
	if err != nil {
		os.Exit(4)
	}
	defer conn.Close()
	os.Stderr.WriteString(".")
	time.Sleep(time.Hour)
}

// leaveChild starts a child, which holds the output too, and waits until it is
// connected.
func leaveChild() {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "OPENAI_TEST_KEY_COMMAND=child")
	child.Stdout = os.Stdout
	began, err := child.StderrPipe()
	if err != nil || child.Start() != nil {
		os.Exit(4)
	}
	began.Read(make([]byte, 1))
}

// A key command runs without the terminal, and nobody that it starts outlives it.
func TestKey_commandEndsWithItsChildren(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("OPENAI_TEST_ADDRESS", l.Addr().String())
	t.Setenv("OPENAI_TEST_KEY_COMMAND", "child left behind")
	key, err := openai.Config{APIKeyCommand: []string{self}}.Key(t.Context(), environment(), nil)
	if err != nil || key != "sk-1" {
		t.Fatalf("%q, %v", key, err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.Copy(io.Discard, conn) // ends with the child
}

func TestKey_commandHasASessionOfItsOwn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("OPENAI_TEST_KEY_COMMAND", "session")
	key, err := openai.Config{APIKeyCommand: []string{self}}.Key(t.Context(), environment(), nil)
	own, _ := unix.Getsid(0)
	if err != nil || key == strconv.Itoa(own) {
		t.Errorf("%q, %v; the tests run in session %d", key, err, own)
	}
}

// session prints the session of this process.
func session() {
	id, err := unix.Getsid(0)
	if err != nil {
		os.Exit(4)
	}
	os.Stdout.WriteString(strconv.Itoa(id))
}
