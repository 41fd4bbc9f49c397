//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"roundtable/internal/testing/must"
)

// The interface ends while key commands hang, without waiting for any of them.
func TestQuit_waitsForNoKeyCommand(t *testing.T) {
	t.Parallel()
	doc := ""
	for i := range 3 {
		doc += fmt.Sprintf("[providers.p%d]\nbase_url = \"http://127.0.0.1:1/v1\"\napi_key_command = [\"sh\", \"-c\", \"sleep 36%d0\"]\n", i, i)
	}
	for i := range 3 {
		doc += fmt.Sprintf("[[agents]]\nid = \"m%d\"\nprovider = \"p%d\"\nmodel = \"m%d\"\n", i, i, i)
	}
	config := filepath.Join(t.TempDir(), "config.toml")
	must.Do(t, os.WriteFile(config, []byte(doc), 0o600))
	tm := open(t, home(t), 100, 30, "--config", config, "new", "Is it so?", "--agents", "m0,m1,m2", "--start")
	tm.await("Is it so?", "space pause")
	quit := time.Now()
	tm.send(ctrlC)
	tm.await("ctrl+c quit · esc back")
	tm.send(ctrlC)
	tm.end()
	if took := time.Since(quit); took > 8*time.Second { // a command may take 10 s
		t.Errorf("quitting took %s", took)
	}
}
