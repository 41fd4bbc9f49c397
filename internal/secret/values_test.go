package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"roundtable/internal/secret"
)

func TestValues_masksEveryFormInOnePieceAndInMany(t *testing.T) {
	const value = `canary<1>/"ü 2&+`
	v := secret.NewValues("[key]", []string{"", "short", " " + value + "\n", "canary<1>"})
	html, _ := json.Marshal(value)
	for _, form := range []string{
		value, url.QueryEscape(value), strings.ToLower(url.QueryEscape(value)), url.PathEscape(value), string(html[1 : len(html)-1]),
		`canary<1>/\"ü 2&+`, `canary<1>\/\"ü 2&+`, "canary<1>", strings.ToUpper(value), "CANARY<1>/\"Ü 2&+", "canary&lt;1&gt;/&#34;ü 2&amp;+",
		hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))),
	} {
		text := "a " + form + " short " + form + form + " canary"
		want := "a [key] short [key][key] canary"
		if got := v.Mask(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
		for size := 1; size <= len(text); size++ {
			var s secret.Stream
			var got strings.Builder
			for from := 0; from < len(text); from += size {
				got.WriteString(s.Add(v, text[from:min(from+size, len(text))]))
				if strings.Contains(got.String(), "canary<") || strings.Contains(got.String(), "canary%") {
					t.Fatalf("in pieces of %d a part of %q was shown: %q", size, form, got.String())
				}
			}
			if got.WriteString(s.Flush(v)); got.String() != want {
				t.Errorf("in pieces of %d %q became %q", size, text, got.String())
			}
		}
	}
	if shown := fmt.Sprintf("%v %+v %#v", v, v, v); strings.Contains(shown, "canary") {
		t.Errorf("formatted: %s", shown)
	}
	if got := secret.NewValues("[key]", nil).Mask("text"); got != "text" {
		t.Errorf("without values: %q", got)
	}
}

func TestValues_masksWhatIsWithinBase64(t *testing.T) {
	const value = "sk-canary+/=7f3d9a1c5e"
	v := secret.NewValues("[key]", []string{value})
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 4 {
			for after := range 4 {
				whole := strings.Repeat("u", before) + value + strings.Repeat(":", after)
				got := v.Mask("got " + enc.EncodeToString([]byte(whole)))
				if !strings.Contains(got, "[key]") || len(got) > len("got [key]")+11 {
					t.Errorf("%q became %q", whole, got)
				}
			}
		}
	}
}

func TestHolds_findsWhatMaskFindsAndLeavesMentions(t *testing.T) {
	for _, text := range []string{
		"x\n+  -----BEGIN RSA PRIVATE KEY-----\nabc", "k := \"AKIAIOSFODNN7EXAMPLE\"", "t = 'glsa_abcdef0123456789abcdef0123456789'",
		"it is dapiabcdef0123456789abcdef0123456789", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.c2lnbmF0dXJl",
	} {
		if !secret.Holds(text) {
			t.Errorf("%q holds none", text)
		}
	}
	for _, text := range []string{
		"", "PRIVATE KEY handling", "look for -----BEGIN PRIVATE KEY----- there", "ask-me-anything-about-the-thing", ".sk-fading-circle {",
		"Authorization: Basic abcdefghijklmnopqrst", "postgres://me:password@localhost:5432/database",
	} {
		if secret.Holds(text) {
			t.Errorf("%q holds one", text)
		}
	}
}

func TestSetting_knowsMoreThanNames(t *testing.T) {
	for _, name := range []string{"Authorization", "Cookie", "X-Goog-Api-Key", "VAULT_TOKEN", "MYSECRET", "PASSWD", "OAUTH", "DB_PWD", "CONN_STRING"} {
		if !secret.Setting(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range []string{"PATH", "PWD", "HOME", "User-Agent", "Cookies-Allowed", "CONNECTION_TIMEOUT"} {
		if secret.Setting(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}
