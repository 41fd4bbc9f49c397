package endpoint

import (
	"fmt"
	"strings"
)

// streamGemini writes a reply of Gemini, as one document unless a stream is asked for.
func streamGemini(a reply) {
	const usage = `"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}`
	part := func(part, more string) string {
		return fmt.Sprintf(`{"candidates":[{"index":0,"content":{"role":"model","parts":[%s]}%s}],"modelVersion":"m3",%s}`,
			part, more, usage)
	}
	const stop = `,"finishReason":"STOP"`
	switch {
	case strings.HasSuffix(a.hr.URL.Path, ":countTokens"):
		fmt.Fprint(a.w, `{"totalTokens":10}`)
	case !strings.HasSuffix(a.hr.URL.Path, ":streamGenerateContent"):
		a.w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(a.w, part(`{"text":`+quote(a.Text)+`}`, stop))
	case a.Call != "":
		a.event("%s", part(fmt.Sprintf(`{"functionCall":{"id":%q,"name":%s,"args":%s}}`, a.id, quote(a.Tool), a.Call), stop))
	case a.words(func(word string) { a.event("%s", part(`{"text":`+quote(word)+`}`, "")) }):
		a.event("%s", part(`{"text":""}`, stop))
	}
}
