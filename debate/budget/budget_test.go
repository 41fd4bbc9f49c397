package budget_test

import (
	"strings"
	"testing"

	"roundtable/debate/budget"
	"roundtable/internal/text"
)

func TestParseUSD(t *testing.T) {
	for content, want := range map[string]float64{
		"0.50": 0.5, "$0.50": 0.5, " $ 1 ": 1, ".5": 0.5, "2.": 2, "1.000": 1, "1000000": 1e6, "0.015": 0.015,
	} {
		if got, err := budget.ParseUSD(content); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", content, got, err, want)
		}
	}
	for _, usd := range []float64{0.004, 0.1, 0.126, 0.5, 12, 100000} {
		if got, err := budget.ParseUSD(budget.FormatUSD(usd)); err != nil || got != usd {
			t.Errorf("%v is read as %v, %v", usd, got, err)
		}
	}
	for _, content := range []string{
		"", " ", "much", "-1", "$", "0,50", "$0,50", "1,000", "1,000.50", "1 000", "50,000 tokens", "50000 tokens", "50k", "nan", "NaN", "inf",
		"1e3", "0x10", "0.1.2", "0.50 0.60", "$1 or 5", "$$1", "1$", "+1", "1_000", "١", "5 apples",
	} {
		if got, err := budget.ParseUSD(content); err == nil || !strings.Contains(err.Error(), "write 0.50 or $0.50") {
			t.Errorf("%q is read as %v, %v", content, got, err)
		}
	}
	for content, want := range map[string]string{
		"0": "more than 0", "0.00": "more than 0", "1000000.01": "at most 1000000", strings.Repeat("9", 400): "at most 1000000",
	} {
		if got, err := budget.ParseUSD(content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %v, %v", content, got, err)
		}
	}
}

func TestParseTokens(t *testing.T) {
	for content, want := range map[string]int{
		"50000": 50000, "50,000": 50000, "50 000": 50000, "50k": 50000, " 700 ": 700, "1,234,567": 1234567, "1 234 567": 1234567,
		"1000000000000": 1e12, "050": 50,
	} {
		if got, err := budget.ParseTokens(content); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", content, got, err, want)
		}
	}
	for _, n := range []int{1, 700, 50000, 1234567, 1e12} {
		if got, err := budget.ParseTokens(text.Number(n)); err != nil || got != n {
			t.Errorf("%d is read as %v, %v", n, got, err)
		}
	}
	for _, content := range []string{
		"", "much", "-1", "$5", "0.5", "50.000", "1.5k", "1,5k", "50,000k", "50 k", "5,00", "0,500", "0 500", "50,0000", "1,234 567",
		"50000 tokens", "50000 60000", "5 50", "nan", "1e9", "50K tokens", "1_000", "50m",
	} {
		if got, err := budget.ParseTokens(content); err == nil || !strings.Contains(err.Error(), "write 50000, 50,000 or 50k") {
			t.Errorf("%q is read as %v, %v", content, got, err)
		}
	}
	for content, want := range map[string]string{
		"0": "at least 1", "0k": "at least 1", "1000000000001": "at most", "1000000001k": "at most", strings.Repeat("9", 40): "at most",
		"9223372036854775807k": "at most",
	} {
		if got, err := budget.ParseTokens(content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %v, %v", content, got, err)
		}
	}
}
