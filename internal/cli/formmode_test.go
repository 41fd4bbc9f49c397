package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/cli"
	tuiscreen "roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// A mode of the user's own can be chosen in the form of a new debate; a faulty one
// is told there.
func TestOffer_hasTheUsersModesForTheForm(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config.toml": goodConfig(t),
		"modes/mine.toml": `name = "mine"
summary = "as I like it"
use = "trying"
min_seats = 2
max_seats = 3
rounds = 1
order = "parallel"
decision = "none"
first = "Begin."
later = "Go on."
last = "End."
rules = "Be brief."
`,
		"modes/bad.toml": "name = \"bad\"\nsummary = 3\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o, err := cli.Setup{
		Config: loadConfig(t, filepath.Join(dir, "config.toml")),
		Env:    map[string]string{"OPENAI_API_KEY": "k"},
	}.Offer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Faults) != 1 || !strings.Contains(o.Faults[0], "modes/bad.toml:2") || !strings.HasSuffix(o.Faults[0],
		"The mode was skipped.") {
		t.Errorf("faults %q", o.Faults)
	}
	f := setup.NewForm(theme.New(theme.Options{}))
	f.SetSize(120, 40)
	f.SetOptions(o)
	f.Prefill("So?", "mine", 0)
	if view := ansi.Strip(f.View(tuiscreen.Frame{})); !strings.Contains(view, "mine") || !strings.Contains(view, "as I like it") {
		t.Errorf("the form has no mode of the user's:\n%s", view)
	}
	if s, err := f.Session(); err != nil || s.Mode.Name != "mine" || s.Mode.Rules != "Be brief." {
		t.Errorf("%v: the debate is in the mode %q", err, s.Mode.Name)
	}
}
