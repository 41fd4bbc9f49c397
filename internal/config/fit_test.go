package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/internal/config"
)

func TestParse_limitsEvidenceInPrompts(t *testing.T) {
	cfg, err := config.Parse("config.toml", []byte("[evidence]\nskip = [\"gen\"]\n[context.fit]\nshare = 0.5\n"))
	want := debate.FitOptions{
		Share: 0.5, EvidenceTokens: debate.DefaultEvidenceTokens, EvidenceSkip: []string{"gen"},
	}
	if err != nil || !cmp.Equal(cfg.Fit(), want) {
		t.Errorf("%+v, %v", cfg.Fit(), err)
	}
	_, err = config.Parse("config.toml", []byte("[evidence]\nmax_tokens = 10\nskip = [\"[\"]\n"))
	for _, want := range []string{
		"10 is not from 1000 to", "\"[\" is no pattern of paths",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err = config.Parse("config.toml", []byte("[context.fit]\nevidence_each = 1\n"))
	if err == nil || !strings.Contains(err.Error(), "unknown key") {
		t.Errorf("a key of the table context.fit: %v", err)
	}
}
