package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/app"
	"roundtable/internal/testing/must"
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
first = "Begin."
later = "Go on."
last = "End."
rules = "Be brief."
`,
		"modes/bad.toml": "name = \"bad\"\nsummary = 3\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	o := must.Get(app.Setup{
		Config: loadConfig(t, filepath.Join(dir, "config.toml")),
		Env:    map[string]string{"OPENAI_API_KEY": "k"},
	}.Offer(t.Context()))(t)
	if len(o.Faults) != 1 || !strings.Contains(o.Faults[0], "modes/bad.toml:2") || !strings.HasSuffix(o.Faults[0],
		"The mode was skipped.") {
		t.Errorf("faults %q", o.Faults)
	}
	f := setup.NewForm(theme.New(theme.Options{}), time.Now)
	f.SetSize(120, 40)
	f.SetOptions(o)
	f.Prefill("So?", "mine", 0)
	if view := ansi.Strip(f.View(tuiscreen.Frame{})); !strings.Contains(view, "mine") {
		t.Errorf("the form has no mode of the user's:\n%s", view)
	}
	if s, err := f.Session(); err != nil || s.Mode.Name != "mine" || s.Mode.Rules != "Be brief." {
		t.Errorf("%v: the debate is in the mode %q", err, s.Mode.Name)
	}
}

// What the command line says of the question is in the form.
func TestOffer_hasTheQuestionOfTheCommandLine(t *testing.T) {
	o := must.Get(app.Setup{
		Config: parseConfig(t, goodConfig(t)), Panel: "demo", Options: []string{"Postgres", "SQLite"},
	}.Offer(t.Context()))(t)
	f := setup.NewForm(theme.New(theme.Options{}), time.Now)
	f.SetSize(120, 40)
	f.SetOptions(o)
	f.Prefill("Which?", "", 0)
	if view := ansi.Strip(f.View(tuiscreen.Frame{})); !strings.Contains(view, "one of the options") {
		t.Errorf("the form does not say it:\n%s", view)
	}
	if s, err := f.Session(); err != nil || s.Question != debate.QuestionChoice || strings.Join(s.Mode.Options, " ") != "Postgres SQLite" {
		t.Errorf("%q among %q, %v", s.Question, s.Mode.Options, err)
	}
}
