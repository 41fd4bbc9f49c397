package text_test

import (
	"testing"
	"time"

	"roundtable/internal/text"
)

// says checks what a function writes of values.
func says[T comparable](t *testing.T, write func(T) string, wants map[T]string) {
	t.Helper()
	for value, want := range wants {
		if got := write(value); got != want {
			t.Errorf("%v is written %q, want %q", value, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for word, wants := range map[string]map[int]string{
		"call": {0: "0 calls", 1: "1 call", 2: "2 calls"}, "search": {1: "1 search", 3: "3 searches"}, "pass": {2: "2 passes"},
	} {
		says(t, func(n int) string { return text.Count(n, word) }, wants)
	}
}

func TestBytes(t *testing.T) {
	says(t, text.Bytes, map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 31_940: "31.9 KB", 310_000: "310 KB", 2_000_000: "2.0 MB"})
}

func TestNumber(t *testing.T) {
	says(t, text.Number, map[int]string{0: "0", 999: "999", 1000: "1,000", 65_536: "65,536", 1_234_567: "1,234,567"})
}

func TestTokens(t *testing.T) {
	says(t, text.Tokens, map[int]string{
		0: "0 tok", 999: "999 tok", 1000: "1.0k tok", 12_345: "12.3k tok", 99_949: "99.9k tok", 99_950: "100k tok",
		999_499: "999k tok", 999_500: "1.0M tok", 12_340_000: "12.3M tok",
	})
	if got := text.UsedTokens(999, false) + ", " + text.UsedTokens(2050, true); got != "999 tok, ≈2.0k tok" {
		t.Error(got)
	}
}

// An amount below a cent never looks like nothing.
func TestMoney(t *testing.T) {
	says(t, text.Money, map[float64]string{
		0: "$0.00", 0.0001: "<$0.001", 0.0004999: "<$0.001", 0.0005: "$0.001", 0.0042: "$0.004", 0.00949: "$0.009", 0.00996: "$0.01",
		0.0125: "$0.01", 0.5: "$0.50", 12.345: "$12.35", 1234: "$1234.00",
	})
	says(t, text.CapMoney, map[float64]string{
		0: "$0.00", 0.0042: "$0.0042", 0.1: "$0.10", 0.105: "$0.105", 1.005: "$1.00", 2: "$2.00",
	})
	wants := map[float64]string{0: "free", 0.0021: "$0.002", 0.031: "$0.03", 0.004: "$0.004", 123.4: "$123", 123.45: "$123"}
	says(t, func(usd float64) string { return text.Cost(&usd) }, wants)
	says(t, func(usd float64) string { return text.Price(&usd) }, wants)
	if got := text.Cost(nil) + text.Price(nil); got != "cost unknown?" {
		t.Error(got)
	}
}

func TestRange(t *testing.T) {
	says(t, func(of [2]float64) string { return text.Range(of[0], of[1], "-") }, map[[2]float64]string{{7, 11}: "7-11", {6.8, 7.2}: "7"})
}

func TestDurationCountdownAndAge(t *testing.T) {
	all := func(d time.Duration) string { return text.Duration(d) + ", " + text.Countdown(d) + ", " + text.Age(d) }
	says(t, all, map[time.Duration]string{
		-time.Second:            "-1000 ms, 0 s, 0 s",
		250 * time.Millisecond:  "250 ms, 1 s, 0 s",
		1500 * time.Millisecond: "1 s, 2 s, 1 s",
		90 * time.Second:        "90 s, 90 s, 1 min",
		121 * time.Second:       "2 min, 121 s, 2 min",
		3 * time.Hour:           "180 min, 10800 s, 3 h",
		47 * time.Hour:          "2820 min, 169200 s, 47 h",
		50 * time.Hour:          "3000 min, 180000 s, 2 days",
	})
}

func TestTimeOfDay(t *testing.T) {
	now := time.Date(2026, 3, 12, 23, 30, 0, 0, time.FixedZone("", 3600))
	says(t, func(then time.Time) string { return text.TimeOfDay(now, then) }, map[time.Time]string{
		now:                             "23:30",
		now.Add(29 * time.Minute):       "23:59",
		now.Add(30 * time.Minute).UTC(): "13 Mar 00:00",
		now.AddDate(0, 8, 0):            "12 Nov 23:30",
		now.AddDate(1, 0, 0):            "12 Mar 2027 23:30",
		time.Date(2099, 12, 31, 22, 0, 0, 0, time.UTC): "31 Dec 2099 23:00",
	})
}

func TestShortDate(t *testing.T) {
	now := time.Date(2026, 3, 12, 14, 30, 0, 0, time.UTC) // a Thursday
	says(t, func(then time.Time) string { return text.ShortDate(now, then) }, map[time.Time]string{
		now.Add(-30 * time.Second):                   "now",
		now.Add(-2 * time.Minute):                    "2 min ago",
		now.Add(-3 * time.Hour):                      "3 h ago",
		now.AddDate(0, 0, -1):                        "yesterday",
		now.AddDate(0, 0, -2):                        "Tue",
		now.AddDate(0, 0, -9):                        "3 Mar",
		now.AddDate(0, 0, -400):                      "Feb 2025",
		time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC):  "Fri",
		time.Date(2026, 3, 5, 23, 0, 0, 0, time.UTC): "5 Mar",
		time.Date(2025, 3, 13, 0, 0, 0, 0, time.UTC): "Mar 2025",
	})
}

func TestList(t *testing.T) {
	for want, names := range map[string][]string{
		"": nil, "Ada": {"Ada"}, "Ada and Brook": {"Ada", "Brook"},
		"Ada, Brook and Cy": {"Ada", "Brook", "Cy"},
	} {
		if got := text.List(names); got != want {
			t.Errorf("List(%q) = %q, want %q", names, got, want)
		}
	}
}
