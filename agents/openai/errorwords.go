package openai

// meaning is what the words of an error mean, whatever its status.
type meaning int

const (
	windowExceeded meaning = iota // the prompt, or prompt and answer together, exceed the window
	sampling                      // no token could be chosen, or a broken call was, which one more try may repair
	memory                        // the model does not fit into the server's memory
)

// errorWords are words of errors, in lower case, with the server and version that they
// were seen at. Servers send them with statuses of all kinds.
var errorWords = []struct {
	words   string
	meaning meaning
	server  string
	version string // or the time of it; "": the protocol's own words, which many servers use
}{
	{"exceeds the available context size", windowExceeded, "llama.cpp", "2025-02"},
	{"context shift is disabled", windowExceeded, "llama.cpp", "2025-02"},
	{"exceed_context_size", windowExceeded, "llama.cpp", "2025-08"},
	{"too big compared to kv size", windowExceeded, "ik_llama.cpp", "2026-08"},
	{"context_length", windowExceeded, "OpenAI", ""},
	{"maximum context length", windowExceeded, "OpenAI, vLLM", ""},
	{"context length", windowExceeded, "Ollama", "0.17"},
	{"context size", windowExceeded, "llama.cpp", "2025-02"},
	{"context window", windowExceeded, "OpenAI", ""},
	{"context shift", windowExceeded, "llama.cpp", "2025-02"},
	{"maximum context", windowExceeded, "OpenAI", ""},
	{"too many tokens", windowExceeded, "Cohere", ""},
	{"too many input tokens", windowExceeded, "Gemini", ""},
	{"prompt is too long", windowExceeded, "Anthropic", ""},
	{"input is too long", windowExceeded, "Bedrock", ""},
	{"reduce the length", windowExceeded, "OpenAI, Groq", ""},
	{"exceeds the maximum number of tokens", windowExceeded, "Gemini", ""},
	{"tool_use_failed", sampling, "Groq", ""},
	{"requires more system memory", memory, "Ollama", ""},
	{"cuda out of memory", memory, "vLLM and others", ""},
	{"insufficient system resources", memory, "LM Studio", ""},
	{"sampling error", sampling, "llama.cpp and its relatives", ""},
}

// means reports whether what the server said has words of a meaning.
func (s apiError) means(m meaning) bool {
	for _, e := range errorWords {
		if e.meaning == m && s.hasAny(e.words) {
			return true
		}
	}
	return false
}
