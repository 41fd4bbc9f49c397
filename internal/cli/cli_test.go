package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/modes"
	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/testing/headlesstest"
	"roundtable/store"
)

// exampleVar names the file that takes the place of the embedded example.
const exampleVar = "ROUNDTABLE_TEST_EXAMPLE"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"acp-agent": acpAgent, "notes-server": notesServer, "roundtable": func() {
		example, err := os.ReadFile(os.Getenv(exampleVar))
		if err != nil {
			panic(err)
		}
		os.Exit(run(context.Background(), example))
	}})
}

// printVar holds what the standard logger prints while the program runs.
const printVar = "ROUNDTABLE_TEST_PRINT"

// printing returns env, which prints as a library would when the program looks for
// its database.
func printing(env func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if line, ok := env(printVar); ok && name == "ROUNDTABLE_DB" {
			log.Print(line)
		}
		return env(name)
	}
}

// TestScripts plays the commands end to end, each script in a home of its own, with
// a focus that is too long in $LONG. A command that writes an escape byte fails. Beside what testscript brings they know:
//
//	exits CODE ARGS...    runs roundtable and wants this exit code
//	session               sets $ID to the session that the last output names
//	events LAST           wants the last output to be valid events that end with LAST
//	seed ID TOPIC         makes a session with this id
//	hold ID               keeps a session locked, as another Roundtable would
//	free                  gives it free
//	serve                 starts a server of models and sets $URL
//	envsubst              writes every NAME.in as NAME, with $URL and $WORK filled in
//	exported              wants the last output to fit the schema of exports
//	private FILE          wants that only the user may read a file
//	tidy [DIR]            wants that no part of a file was left behind, or that a folder is empty
//	fill FILE BYTES       writes a file of this size
//	gone FILE             wants that the processes that a file lists end within a moment
//	await FILE            waits until a file is there, and removes it
//	nowhere TEXT          wants that neither the last output nor any file holds TEXT
//	examples               runs the examples of all helps
//	completes WANT ARGS... wants what shells are offered for the last argument, as values with blanks between them
//	wide FILE...          writes files in UTF-16, with a byte order mark
//	narrow FILE...        takes that mark from them
//	earlier NAME          begins with a database that an earlier version has written
//	fenced DOC LANG FILE  writes the first code block of a language in docs/DOC
//	mcp ARGS...           starts an MCP server for a client that is named test
//	call TOOL NAME=VALUE... calls a tool of that server
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			for k, v := range homeEnv(env.WorkDir) {
				env.Setenv(k, v)
			}
			env.Values[holding{}], env.Values[serving{}] = &held{}, &assistant{}
			env.Setenv("LONG", strings.Repeat("x", debate.MaxFocus+1))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "session": sessionCommand, "events": events, "seed": seed, "hold": hold, "free": free, "serve": serve,
			"envsubst": envsubst, "nowhere": checkNoKey, "gone": gone, "await": await, "fenced": fenced, "wide": wide, "narrow": narrow,
			"earlier": earlier, "exported": exported, "examples": examples, "completes": completes, "fill": fill, "private": private, "tidy": tidy,
			"mcp": startMCP, "call": call,
		},
		RequireUniqueNames: true,
	})
}

// homeEnv returns the environment of a program whose files are all in dir.
func homeEnv(dir string) map[string]string {
	example, err := filepath.Abs("../../config.example.toml")
	if err != nil {
		panic(err)
	}
	return map[string]string{
		"HOME": dir, "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_DATA_HOME": filepath.Join(dir, "data"),
		"XDG_STATE_HOME": filepath.Join(dir, "state"), exampleVar: example,
		"HTTPS_PROXY": "http://127.0.0.1:1", // nothing is sent to another machine
		"GORACE":      "atexit_sleep_ms=0",  // the race detector sleeps a second at every exit
	}
}

func completes(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("roundtable", append([]string{"__completeNoDesc"}, args[1:]...)...))
	var got []string
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, ":") {
			got = append(got, line)
		}
	}
	if all := strings.Join(got, " "); all != args[0] {
		ts.Fatalf("%q is completed to: %s", args[1:], all)
	}
}

func fill(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte("x"), n), 0o600))
}

func database(dir string) string { return filepath.Join(dir, "data", "roundtable", "roundtable.db") }

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec("roundtable", args[1:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func sessionCommand(ts *testscript.TestScript, _ bool, _ []string) {
	out := ts.ReadFile("stdout")
	_, rest, ok := strings.Cut(out, `"session":"`)
	if !ok {
		_, rest, ok = strings.Cut(out, "Debate ")
	}
	if !ok {
		_, rest, ok = strings.Cut(out, `"sessionId":"`)
	}
	if !ok || len(rest) < 10 {
		ts.Fatalf("no debate is named in: %s", out)
	}
	ts.Setenv("ID", rest[:10])
}

func events(ts *testscript.TestScript, _ bool, args []string) {
	lines, err := headlesstest.Validate([]byte(ts.ReadFile("stdout")))
	ts.Check(err)
	if got := lines[len(lines)-1]["type"]; got != args[0] {
		ts.Fatalf("the last event is %v, want %s", got, args[0])
	}
}

func openStore(dir string) (*store.Store, error) {
	path := database(dir)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return store.Open(context.Background(), path, store.Options{Door: "run"})
}

func seed(ts *testscript.TestScript, _ bool, args []string) {
	st, err := openStore(ts.Getenv("HOME"))
	ts.Check(err)
	all, err := modes.Builtin()
	ts.Check(err)
	mode, err := modes.Find(all, "collaborative")
	ts.Check(err)
	_, err = st.Create(context.Background(), debate.Session{ID: args[0], Topic: args[1], Mode: mode, Rounds: 2, Seats: demo.Panel(3)})
	ts.Check(err)
	ts.Check(st.Close())
}

func earlier(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Open(filepath.Join("..", "..", "store", "testdata", "before", args[0]))
	ts.Check(err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	ts.Check(err)
	raw, err := io.ReadAll(r)
	path := database(ts.Getenv("HOME"))
	ts.Check(errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, raw, 0o600)))
}

// held keeps the locks of a script.
type held struct {
	store *store.Store
}

// holding is where a script finds what it holds.
type holding struct{}

func hold(ts *testscript.TestScript, _ bool, args []string) {
	st, err := openStore(ts.Getenv("HOME"))
	ts.Check(err)
	ts.Check(st.Lock(context.Background(), args[0]))
	if len(args) > 1 { // in the middle of a round
		_, err := st.BeginRound(context.Background(), args[0], 1)
		ts.Check(err)
		ts.Check(st.SetHolder(args[0], func(h *debate.Holder) { h.Runs = args[1] == "runs" }))
	}
	*ts.Value(holding{}).(*held) = held{st}
}

func free(ts *testscript.TestScript, _ bool, _ []string) {
	h := ts.Value(holding{}).(*held)
	ts.Check(h.store.Close())
}

func serve(ts *testscript.TestScript, _ bool, _ []string) {
	s := newModels()
	ts.Defer(s.Close)
	ts.Setenv("URL", s.URL+"/v1")
}

func envsubst(ts *testscript.TestScript, _ bool, _ []string) {
	files, err := filepath.Glob(ts.MkAbs("*.in"))
	ts.Check(err)
	for _, name := range files {
		fill := strings.NewReplacer("$URL", ts.Getenv("URL"), "$WORK", filepath.ToSlash(ts.Getenv("WORK")))
		ts.Check(os.WriteFile(strings.TrimSuffix(name, ".in"), []byte(fill.Replace(ts.ReadFile(name))), 0o600))
	}
}

// exported checks JSON on stdout against the published schema: that of an export, or of the
// output that is named.
func exported(ts *testscript.TestScript, _ bool, args []string) {
	schema, err := headlesstest.SchemaOf(strings.Join(args, ""))
	ts.Check(err)
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &doc))
	ts.Check(schema.Validate(doc))
}

func wide(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		raw := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(ts.ReadFile(name))) {
			raw = binary.LittleEndian.AppendUint16(raw, unit)
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), raw, 0o600))
	}
}

func narrow(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(ts.ReadFile(name))[2:], 0o600))
	}
}

func fenced(ts *testscript.TestScript, _ bool, args []string) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", args[0]))
	ts.Check(err)
	_, block, found := strings.Cut(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n```"+args[1]+"\n")
	block, _, ended := strings.Cut(block, "```\n")
	if !found || !ended {
		ts.Fatalf("docs/%s has no code block in %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(block), 0o600))
}

func private(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := info.Mode().Perm(); got != 0o600 {
		ts.Fatalf("%s has the mode %o", args[0], got)
	}
}

func tidy(ts *testscript.TestScript, _ bool, args []string) {
	pattern := ".roundtable-*"
	if len(args) > 0 {
		pattern = filepath.Join(args[0], "*")
	}
	left, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(left) > 0 {
		ts.Fatalf("%v were left behind", left)
	}
}

func checkNoKey(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(name), args[0]) {
			ts.Fatalf("%s holds it:\n%s", name, ts.ReadFile(name))
		}
	}
	ts.Check(filepath.WalkDir(ts.Getenv("HOME"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".txtar") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && bytes.Contains(raw, []byte(args[0])) {
			err = errors.New(path + " holds it")
		}
		return err
	}))
}
