package control

// What every front end says when no model was found.
const (
	// NeedsModel is why no debate about the user's own question starts.
	NeedsModel = "Without a model, answers to your own topic are scripted."

	// GetModel is how to get one.
	GetModel = "Set a key such as OPENAI_API_KEY or an address such as OPENAI_BASE_URL, start Ollama, " +
		"or write a config with `roundtable config init`."
)

// NoModel says both, as the reason why a debate does not start.
func NoModel() error { return because(NeedsModel + " " + GetModel) }
