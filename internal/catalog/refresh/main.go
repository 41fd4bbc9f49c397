// Command refresh writes the table of models anew, from the newest catwalk that the module
// proxy has, or from the version in its argument. It is run by hand: go generate
// ./internal/catalog. It reads the JSON files of that module, and links nothing of it.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const module = "charm.land/catwalk"

// sources are the files of the module for our presets. A preset without one has no models
// in the table.
var sources = []struct{ preset, file string }{
	{"openai", "openai"},
	{"anthropic", "anthropic"},
	{"gemini", "gemini"},
	{"openrouter", "openrouter"},
	{"groq", "groq"},
	{"deepseek", "deepseek"},
	{"xai", "xai"},
	{"dashscope", "alibaba-singapore"},
}

type model struct {
	ID      string  `json:"id"`
	In      float64 `json:"cost_per_1m_in"`
	Out     float64 `json:"cost_per_1m_out"`
	CacheIn float64 `json:"cost_per_1m_in_cached"`
	Cached  float64 `json:"cost_per_1m_out_cached"`
	Window  int     `json:"context_window"`
}

func main() {
	version := "latest"
	if len(os.Args) > 1 {
		version = os.Args[1]
	}
	if err := refresh(version, "models.tsv"); err != nil {
		fmt.Fprintln(os.Stderr, "refresh:", err)
		os.Exit(1)
	}
}

func refresh(version, file string) error {
	found, err := download(version)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s %s\n", module, found.Version, found.date.Format(time.DateOnly))
	for _, s := range sources {
		raw, err := os.ReadFile(filepath.Join(found.Dir, "internal/providers/configs", s.file+".json"))
		var p struct{ Models []model }
		if err == nil {
			err = json.Unmarshal(raw, &p)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		for _, m := range p.Models {
			b.WriteString(m.row(s.preset) + "\n")
		}
	}
	return os.WriteFile(file, []byte(b.String()), 0o644) //nolint:gosec // it is source
}

type downloaded struct {
	Version, Info, Dir, Error string
	date                      time.Time
}

// download has the go command fetch the module, outside of this one. Its go directive may
// ask for a newer toolchain than this; its files are there all the same.
func download(version string) (d downloaded, err error) {
	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir = os.TempDir()
	out, runErr := cmd.Output()
	if err := json.Unmarshal(out, &d); err != nil {
		return d, cmp.Or(runErr, err)
	}
	if d.Dir == "" {
		return d, fmt.Errorf("%s@%s was not fetched: %s", module, version, d.Error)
	}
	raw, err := os.ReadFile(d.Info)
	if err != nil {
		return d, err
	}
	var info struct{ Time time.Time }
	err = json.Unmarshal(raw, &info)
	d.date = info.Time
	return d, err
}

// row returns a model as a row of the table. What the source calls the price of cached
// input is that of writing the cache for some providers: a price that is not lower than
// that of input is left out.
func (m model) row(preset string) string {
	cached := ""
	for _, price := range []float64{m.CacheIn, m.Cached} {
		if price > 0 && price < m.In {
			cached = number(price)
		}
	}
	id := strings.NewReplacer("\t", " ", "\n", " ").Replace(m.ID)
	return strings.Join([]string{preset, id, strconv.Itoa(m.Window), number(m.In), cached, number(m.Out)}, "\t")
}

// number writes a price without what is lost in binary fractions.
func number(price float64) string { return strconv.FormatFloat(price, 'g', 6, 64) }
