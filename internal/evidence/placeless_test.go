package evidence_test

import (
	"strings"
	"testing"

	"roundtable/internal/testing/must"
)

// Lines of context and combined diffs have signs of two characters, which hide no key.
func TestRead_masksKeysInDiffsWithoutPlaces(t *testing.T) {
	body := strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 2)
	key := []string{"-----BEGIN PRIVATE KEY-----", body, body, "-----END PRIVATE KEY-----"}
	for sign, head := range map[string]string{
		"! ": "diff -c a b\n*** a\n--- b\n***************\n*** 1,4 ****\n",
		"--": "diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,4 -1,4 +1,1 @@@\n",
		"- ": "diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,4 -1,4 +1,1 @@@\n",
	} {
		raw := head
		for _, line := range key {
			raw += sign + line + "\n"
		}
		found := must.Get(read(t, write(t, map[string]string{"a.txt": raw}), "a.txt"))(t)
		if len(found.Evidence) != 1 || strings.Contains(found.Evidence[0].Text, body) {
			t.Errorf("%q: %+v", sign, found.Evidence)
		}
	}
}
