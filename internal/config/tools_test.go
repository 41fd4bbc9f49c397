package config_test

import (
	"strings"
	"testing"

	"roundtable/internal/config"
)

func TestParse_checksCommands(t *testing.T) {
	for text, want := range map[string]string{
		`share = ["go"]`:          `unknown key "share"`,
		`command_timeout = "30m"`: "",
		`command_timeout = "0s"`:  "tools.command_timeout: 0s is not from 1s to 24h",
	} {
		cfg, err := config.Parse("c.toml", []byte("[tools]\n"+text+"\n"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v, want %q", text, cfg.Tools, err, want)
		}
	}
}
