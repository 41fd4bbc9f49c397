//go:build linux || darwin || freebsd

package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

func TestWritableByOthers_refusesWhatOthersCanChange(t *testing.T) {
	tests := []struct {
		name            string
		file, folder    os.FileMode
		refused, notice string
	}{
		{"of the user only", 0o600, 0o700, "", ""},
		{"readable", 0o644, 0o755, "", ""},
		{"own group", 0o664, 0o775, "", ""},
		{"file", 0o646, 0o755, "chmod o-w FILE", ""},
		{"folder", 0o600, 0o757, "chmod o-w FOLDER", ""},
		{"sticky folder", 0o600, 0o777 | os.ModeSticky, "", ""},
		{"file in a sticky folder", 0o666, 0o777 | os.ModeSticky, "chmod o-w FILE", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := configAt(t, test.file, test.folder)
			notices, err := config.WritableByOthers(path)
			refused := strings.NewReplacer("FILE", path, "FOLDER", filepath.Dir(path)).Replace(test.refused)
			if (err != nil) != (refused != "") || err != nil && !strings.HasSuffix(err.Error(), "run: "+refused) || len(notices) > 0 {
				t.Errorf("%v %q, want %q", err, notices, refused)
			}
		})
	}
}

func TestWritableByOthers_followsLinks(t *testing.T) {
	target := configAt(t, 0o600, 0o777)
	link := filepath.Join(t.TempDir(), "link.toml")
	must.Do(t, os.Symlink(target, link))
	if _, err := config.WritableByOthers(link); err == nil || !strings.HasSuffix(err.Error(), "chmod o-w "+filepath.Dir(target)) {
		t.Errorf("a link into a folder that others can write: %v", err)
	}
	spaced := filepath.Join(t.TempDir(), "my config.toml")
	must.Do(t, errors.Join(os.WriteFile(spaced, nil, 0o600), os.Chmod(spaced, 0o606)))
	if _, err := config.WritableByOthers(spaced); err == nil || !strings.HasSuffix(err.Error(), "chmod o-w '"+spaced+"'") {
		t.Errorf("a path that a shell divides: %v", err)
	}
	if notices, err := config.WritableByOthers(target + ".none"); err != nil || notices != nil {
		t.Errorf("no file: %v %q", err, notices)
	}
}

func TestWritableByOthers_knowsOwnersAndGroups(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	path := configAt(t, 0o660, 0o700)
	if err := os.Chown(path, 0, 12345); err != nil {
		t.Skip(err)
	}
	if notices, err := config.WritableByOthers(path); err != nil || len(notices) != 1 || !strings.HasSuffix(notices[0], "chmod g-w "+path) {
		t.Errorf("a foreign group: %v %q", err, notices)
	}
	if err := os.Chown(path, 12345, 0); err != nil {
		t.Skip(err)
	}
	if _, err := config.WritableByOthers(path); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Errorf("a foreign owner: %v", err)
	}
}

// configAt returns the path of a new config with these permissions, in a folder with those.
func configAt(t *testing.T, file, folder os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	must.Do(t, os.WriteFile(path, nil, 0o600))
	for path, mode := range map[string]os.FileMode{path: file, filepath.Dir(path): folder} {
		must.Do(t, os.Chmod(path, mode))
	}
	return path
}
