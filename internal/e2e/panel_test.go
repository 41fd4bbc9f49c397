//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// orator answers as a debater does, a word every pace.
func orator(words int, pace time.Duration) func(endpoint.Request) endpoint.Reply {
	return func(r endpoint.Request) endpoint.Reply {
		text := fmt.Sprintf("Keep it append-only, says %s in round %d.\n\n", r.Model, roundAsked(r))
		for i := range words {
			text += fmt.Sprintf("word-%d ", i)
		}
		text += "\n```json\n{\"position\":\"Keep it.\",\"confidence\":0.8,\"vote\":\"yes\"}\n```"
		return endpoint.Reply{Text: text, Pace: pace}
	}
}

var roundOf = regexp.MustCompile(`round (\d+) of \d`)

// roundAsked is the round that a request is for; 0: another one's.
func roundAsked(r endpoint.Request) (n int) {
	if m := roundOf.FindStringSubmatch(r.Messages[1].Content); m != nil {
		fmt.Sscan(m[1], &n)
	}
	return n
}

// panel writes a configuration of three seats at a server.
func panel(t testing.TB, url, more string) string { return seated(t, url, more, 3) }

// seated writes a configuration of so many seats at a server, which are free.
func seated(t testing.TB, url, more string, seats int) string {
	return seatedAt(t, url, more, "price_in = 0\nprice_out = 0\n", seats)
}

// panelOf writes a configuration of so many seats at a server, whose prices are unknown.
func panelOf(t testing.TB, url string, seats int) string { return seatedAt(t, url, "", "", seats) }

func seatedAt(t testing.TB, url, more, ofEach string, seats int) string {
	t.Helper()
	text := more + fmt.Sprintf("[providers.here]\nbase_url = %q\n", url+"/v1")
	var ids []string
	for i := 1; i <= seats; i++ {
		ids = append(ids, fmt.Sprintf("%q", fmt.Sprintf("m%d", i)))
		text += fmt.Sprintf("[[agents]]\nid = \"m%d\"\nname = \"M%d\"\nprovider = \"here\"\nmodel = \"m%d\"\n", i, i, i) + ofEach
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	must.Do(t, os.WriteFile(path, []byte(text+"[panels.default]\nagents = ["+strings.Join(ids, ", ")+"]\n"), 0o600))
	return path
}
