package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/config"
)

func TestLoad_themesOfTheUser(t *testing.T) {
	for _, tt := range []struct{ name, theme, file, want string }{
		{"built in", "high-contrast", "", ""},
		{"a file", "mine", "accent = \"#123456\"\nseats = [\"#abcdef\", \"\"]\n", ""},
		{"an empty file", "mine", "", ""},
		{"no such file", "other", "", `"other" is none of auto, dark, light, high-contrast, and there is no file`},
		{"another folder", "../mine", "", "no name of a file in the folder themes"},
		{"hidden", ".mine", "", "no name of a file in the folder themes"},
		{"empty", "", "", `"" is none of auto`},
		{"no TOML", "mine", "accent = ", "mine.toml: "},
		{"unknown colour", "mine", "acent = \"#123456\"\n", `there is no colour "acent"`},
		{"not a colour", "mine", "accent = \"mauve\"\n", "mauve is not a colour such as #a1c0ff"},
		{"a seat is not a colour", "mine", "seats = [\"#12345\"]\n", "#12345 is not a colour"},
		{"nine seats", "mine", `seats = ["","","","","","","","",""]`, "seats has more than eight colours"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "config.toml")
			if err := os.Mkdir(filepath.Join(dir, "themes"), 0o700); err != nil {
				t.Fatal(err)
			}
			for name, content := range map[string]string{path: "[ui]\ntheme = \"" + tt.theme + "\"\n", filepath.Join(dir, "themes", "mine.toml"): tt.file} {
				if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cfg, err := config.Load(path)
			switch {
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("the error is %v, want %q", err, tt.want)
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want == "" && (cfg.UI.Colors != nil) != (tt.theme == "mine"):
				t.Errorf("the colours are %+v", cfg.UI.Colors)
			case tt.name == "a file" && (cfg.UI.Colors.Accent != "#123456" || len(cfg.UI.Colors.Seats) != 2):
				t.Errorf("the colours are %+v", cfg.UI.Colors)
			}
		})
	}
}
