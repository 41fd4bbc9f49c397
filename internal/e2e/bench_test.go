//go:build unix

package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
)

// passage is Markdown that goes on for ever, four bytes of it a token.
const passage = "## Point: measure first\n\nA **claim** without a *measurement* is a guess; `go test -bench` settles most of them. See the notes for the longer argument about caching, latency and cost.\n\n" +
	"- first, a baseline that is *cheap* to repeat\n- second, a change of **one** thing\n\n```go\nfunc add(xs []int) (n int) {\n\tfor _, x := range xs {\n\t\tn += x\n\t}\n\treturn n\n}\n```\n\n| option | cost |\n|---|--:|\n| queue | 12 |\n\n"

// streaming is a server that says so many tokens at once, and then 200 a second
// until its client leaves.
func streaming(b *testing.B, first int) *endpoint.Server {
	return endpoint.New(b, func(endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Serve: func(w http.ResponseWriter, r *http.Request) {
			say := func(text string) { endpoint.Stream(w, `{"choices":[{"delta":{"content":`+quoted(text)+`}}]}`) }
			say(strings.Repeat(passage, first*4/len(passage)))
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for i := 0; ; i += 4 {
				select {
				case <-tick.C:
					at := i % (len(passage) - 4)
					say(passage[at : at+4])
				case <-r.Context().Done():
					return
				}
			}
		}}
	})
}

// BenchmarkProgram runs the whole program in a terminal of 200x60 with eight seats
// that stream 200 tokens a second each, and types into it: how long until the
// first frame, how long until a key is on the screen, how much of a core it takes.
func BenchmarkProgram(b *testing.B) {
	for _, before := range []int{0, 50_000} {
		b.Run(fmt.Sprintf("after %d tokens", before), func(b *testing.B) {
			srv := streaming(b, before)
			config := seated(b, srv.URL, "", 8)
			var starts, echoes []time.Duration
			var used, lived time.Duration
			for b.Loop() {
				begun := time.Now()
				tm := open(b, home(b), 200, 60, "--config", config, "new", "Is it so?", "--start")
				tm.await("Roundtable")
				starts = append(starts, time.Since(begun))
				tm.await("round 1/")
				time.Sleep(3 * time.Second) // what came at once is read, and the stream flows
				tm.press("f", "focus >")
				for i := range 100 {
					time.Sleep(time.Duration(7+i%13) * time.Millisecond)
					at, shown := time.Now(), strings.Repeat("Q", i%20+1)
					if i%20 == 0 && i > 0 {
						tm.send("\x15")
						tm.gone("QQ")
						at = time.Now()
					}
					tm.send("Q")
					tm.await("> " + shown)
					echoes = append(echoes, time.Since(at))
				}
				tm.send(esc)
				tm.gone("focus >")
				tm.send(ctrlC + ctrlC)
				tm.end()
				used += tm.cmd.ProcessState.UserTime() + tm.cmd.ProcessState.SystemTime()
				lived += time.Since(begun)
			}
			slices.Sort(starts)
			slices.Sort(echoes)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(starts[len(starts)/2]), "start-ms")
			b.ReportMetric(ms(echoes[len(echoes)/2]), "echo-p50-ms")
			b.ReportMetric(ms(echoes[len(echoes)*99/100]), "echo-p99-ms")
			b.ReportMetric(100*float64(used)/float64(lived), "%core")
			b.ReportMetric(0, "ns/op")
		})
	}
}
