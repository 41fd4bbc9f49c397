package openai

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter returns how long a server asks to wait. It may say so in milliseconds,
// in seconds or as a date, which is taken relative to the server's own clock. It
// returns 0 if the server says no positive time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := parseDelay(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := parseDelay(value, time.Second); ok {
		return d
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if theirs, err := http.ParseTime(h.Get("Date")); err == nil {
		now = theirs
	}
	return min(max(0, at.Sub(now)), maxRetryAfter)
}

// delayInWords returns how long the words of a rate limit ask to wait, as in "Please
// try again in 1.5s". OpenAI does not always send the header.
func delayInWords(message string) time.Duration {
	_, after, found := strings.Cut(strings.ToLower(message), "try again in ")
	if !found {
		return 0
	}
	number, _, _ := strings.Cut(after, " ")
	d, err := time.ParseDuration(strings.TrimRight(number, "."))
	if err != nil {
		return 0
	}
	return min(max(0, d), maxRetryAfter)
}

// maxRetryAfter bounds a wait, so that its end is a date.
const maxRetryAfter = 100 * 365 * 24 * time.Hour

// parseDelay parses a positive number of units, however large.
func parseDelay(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && f > 0, err == nil && f >= float64(maxRetryAfter/unit) && !math.IsInf(f, 0):
		return maxRetryAfter, true
	case err != nil || !(f > 0) || math.IsInf(f, 0): // the words inf and NaN
		return 0, false
	}
	return time.Duration(f * float64(unit)), true
}
