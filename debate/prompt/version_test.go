package prompt_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"roundtable/debate/prompt"
	"roundtable/internal/testing/must"
)

// A prompt that was changed has another version: the file names the version with a hash
// of all goldens. With -update it is written for a new version, never for the old one.
func TestVersion_isThatOfTheGoldens(t *testing.T) {
	const file = "testdata/version"
	sum := sha256.New()
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error { // in the order of the names
		if err != nil || filepath.Ext(path) != ".golden" {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", filepath.ToSlash(path), len(text), text)
		return err
	})
	must.Do(t, err)
	stored := must.Get(os.ReadFile(file))(t)
	var version int
	var hash string
	if _, err := fmt.Sscan(string(stored), &version, &hash); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	now := hex.EncodeToString(sum.Sum(nil))
	switch update := flag.Lookup("update"); {
	case version == prompt.Version && hash == now:
	case prompt.Version > version && update.Value.String() == "true":
		must.Do(t, os.WriteFile(file, fmt.Appendf(nil, "%d %s\n", prompt.Version, now), 0o600))
	case prompt.Version > version:
		t.Errorf("version %d is new: write its hash with -update", prompt.Version)
	default:
		t.Errorf("the goldens have changed since version %d: increase prompt.Version, then write the hash with -update", version)
	}
}
