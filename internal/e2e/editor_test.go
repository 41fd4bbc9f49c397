//go:build unix

package e2e_test

import (
	"os"
	"path/filepath"
	"testing"

	"roundtable/internal/testing/must"
)

// An editor draws on the terminal itself and reads keys from it, and the screen is
// drawn again however fast it ends.
func TestEditor_hasTheTerminal(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ name, script, says string }{
		{"one that looks", "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && printf 'it is a terminal\\n' > \"$1\"\n", "it is a terminal"},
		{
			"one that writes above the question", // of which nothing becomes the answer
			"#!/bin/sh\n{ printf 'all\\r\\n------------------------ >8 ------------------------\\r\\nof it'; cat \"$1\"; } > \"$1.new\"\n" +
				"mv \"$1.new\" \"$1\"\n",
			"│ of it",
		},
		{"one that ends at once with an error", "#!/bin/sh\nexit 3\n", "failed: exit status 3; the answer is as it was"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			editor := filepath.Join(t.TempDir(), "editor")
			must.Do(t, os.WriteFile(editor, []byte(c.script), 0o700))
			env, _, config, _ := keyed(t)
			size := [][2]int{{80, 24}, {120, 36}}[i%2]
			tm := open(t, append(env, "EDITOR="+editor), size[0], size[1], "--config", config, "resume", toTheGate(t, env, config))
			tm.await("C1", takesKeys)
			tm.send("\x0f") // ctrl+o
			tm.await(c.says)
			tm.send("typed after that")
			tm.await("typed after that")
			tm.send(ctrlC)
			tm.send(ctrlC)
			tm.end()
		})
	}
}
