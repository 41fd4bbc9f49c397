package openai_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"roundtable/agents/openai"
)

// A list that needs no key does not show that the key is good.
func TestKeyUnchecked_tellsWhetherTheListNeedsTheKey(t *testing.T) {
	for _, needsKey := range []bool{true, false} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if needsKey && r.Header.Get("Authorization") == "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
		}))
		defer srv.Close()
		c := client(t, openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{Key: "sk-abcdefghijklmnop"})
		if _, err := c.Models(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := c.KeyUnchecked(t.Context()); got == needsKey {
			t.Errorf("a list that needs a key (%t): unchecked %t", needsKey, got)
		}
	}
}
