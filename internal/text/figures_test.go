package text_test

import (
	"testing"
	"time"

	"roundtable/internal/text"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		word string
		want string
	}{
		{0, "call", "0 calls"},
		{1, "call", "1 call"},
		{2, "call", "2 calls"},
		{1, "search", "1 search"},
		{3, "search", "3 searches"},
		{2, "pass", "2 passes"},
	} {
		if got := text.Count(c.n, c.word); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.word, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 31_940: "31.9 KB", 310_000: "310 KB", 2_000_000: "2.0 MB"} {
		if got := text.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 65_536: "65,536", 1_234_567: "1,234,567",
	} {
		if got := text.Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 tok", 999: "999 tok", 1000: "1.0k tok", 12_345: "12.3k tok", 99_949: "99.9k tok", 99_950: "100k tok",
		999_499: "999k tok", 999_500: "1.0M tok", 12_340_000: "12.3M tok",
	} {
		if got := text.Tokens(n); got != want {
			t.Errorf("Tokens(%d) = %q, want %q", n, got, want)
		}
	}
}

// An amount below a cent never looks like nothing.
func TestMoney(t *testing.T) {
	for usd, want := range map[float64]string{
		0: "$0.00", 0.0001: "<$0.001", 0.0004999: "<$0.001", 0.0005: "$0.001", 0.0042: "$0.004", 0.00949: "$0.009", 0.00996: "$0.01",
		0.0125: "$0.01", 0.5: "$0.50", 12.345: "$12.35", 1234: "$1234.00",
	} {
		if got := text.Money(usd); got != want {
			t.Errorf("Money(%v) = %q, want %q", usd, got, want)
		}
	}
}

func TestCapMoney(t *testing.T) {
	for usd, want := range map[float64]string{0: "$0.00", 0.0042: "$0.0042", 0.1: "$0.10", 0.105: "$0.105", 1.005: "$1.00", 2: "$2.00"} {
		if got := text.CapMoney(usd); got != want {
			t.Errorf("CapMoney(%v) = %q, want %q", usd, got, want)
		}
	}
}

func TestCostAndPrice(t *testing.T) {
	amount := func(usd float64) *float64 { return &usd }
	for _, c := range []struct {
		usd         *float64
		cost, price string
	}{
		{nil, "cost unknown", "?"},
		{amount(0.0021), "$0.002", "$0.002"},
		{amount(0.031), "$0.03", "$0.03"},
		{amount(123.45), "$123", "$123"},
		{amount(0), "free", "free"},
		{amount(0.004), "$0.004", "$0.004"},
		{amount(123.4), "$123", "$123"},
	} {
		if got := text.Cost(c.usd); got != c.cost {
			t.Errorf("Cost = %q, want %q", got, c.cost)
		}
		if got := text.Price(c.usd); got != c.price {
			t.Errorf("Price = %q, want %q", got, c.price)
		}
	}
}

func TestUsedTokens(t *testing.T) {
	for _, c := range []struct {
		n         int
		estimated bool
		want      string
	}{{999, false, "999 tok"}, {2050, true, "≈2.0k tok"}, {123_456, false, "123k tok"}} {
		if got := text.UsedTokens(c.n, c.estimated); got != c.want {
			t.Errorf("UsedTokens(%d, %v) = %q, want %q", c.n, c.estimated, got, c.want)
		}
	}
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{7, 11, "7-11"}, {6.8, 7.2, "7"}} {
		if got := text.Range(c.low, c.high, "-"); got != c.want {
			t.Errorf("Range(%v, %v) = %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

func TestDurationCountdownAndAge(t *testing.T) {
	for _, c := range []struct {
		d                        time.Duration
		duration, countdown, age string
	}{
		{-time.Second, "-1000 ms", "0 s", "0 s"},
		{250 * time.Millisecond, "250 ms", "1 s", "0 s"},
		{1500 * time.Millisecond, "1 s", "2 s", "1 s"},
		{90 * time.Second, "90 s", "90 s", "1 min"},
		{121 * time.Second, "2 min", "121 s", "2 min"},
		{3 * time.Hour, "180 min", "10800 s", "3 h"},
		{47 * time.Hour, "2820 min", "169200 s", "47 h"},
		{50 * time.Hour, "3000 min", "180000 s", "2 days"},
	} {
		if got := text.Duration(c.d); got != c.duration {
			t.Errorf("Duration(%v) = %q, want %q", c.d, got, c.duration)
		}
		if got := text.Countdown(c.d); got != c.countdown {
			t.Errorf("Countdown(%v) = %q, want %q", c.d, got, c.countdown)
		}
		if got := text.Age(c.d); got != c.age {
			t.Errorf("Age(%v) = %q, want %q", c.d, got, c.age)
		}
	}
}

func TestTimeOfDay(t *testing.T) {
	now := time.Date(2026, 3, 12, 23, 30, 0, 0, time.FixedZone("", 3600))
	for _, c := range []struct {
		then time.Time
		want string
	}{
		{now, "23:30"},
		{now.Add(29 * time.Minute), "23:59"},
		{now.Add(30 * time.Minute).UTC(), "13 Mar 00:00"},
		{now.AddDate(0, 8, 0), "12 Nov 23:30"},
		{now.AddDate(1, 0, 0), "12 Mar 2027 23:30"},
		{time.Date(2099, 12, 31, 22, 0, 0, 0, time.UTC), "31 Dec 2099 23:00"},
	} {
		if got := text.TimeOfDay(now, c.then); got != c.want {
			t.Errorf("TimeOfDay(%v) = %q, want %q", c.then, got, c.want)
		}
	}
}

func TestShortDate(t *testing.T) {
	now := time.Date(2026, 3, 12, 14, 30, 0, 0, time.UTC) // a Thursday
	for _, c := range []struct {
		then time.Time
		want string
	}{
		{now.Add(-30 * time.Second), "now"},
		{now.Add(-5 * time.Minute), "5 min ago"},
		{now.Add(-3 * time.Hour), "3 h ago"},
		{now.Add(-10 * time.Second), "now"},
		{now.Add(-2 * time.Minute), "2 min ago"},
		{now.AddDate(0, 0, -1), "yesterday"},
		{now.AddDate(0, 0, -2), "Tue"},
		{now.AddDate(0, 0, -9), "3 Mar"},
		{now.AddDate(0, 0, -400), "Feb 2025"},
		{time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC), "Fri"},
		{time.Date(2026, 3, 5, 23, 0, 0, 0, time.UTC), "5 Mar"},
		{time.Date(2025, 3, 13, 0, 0, 0, 0, time.UTC), "Mar 2025"},
	} {
		if got := text.ShortDate(now, c.then); got != c.want {
			t.Errorf("ShortDate(%v) = %q, want %q", c.then, got, c.want)
		}
	}
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
