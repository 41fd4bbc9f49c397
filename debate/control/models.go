package control

// What every front end says when no model was found, or too few are ready.
const (
	// NeedsModel is why no debate about the user's own question starts.
	NeedsModel = "Without a model, answers to your own topic are scripted."

	// GetModel is how to get one.
	GetModel = "Set a key such as OPENAI_API_KEY or an address such as OPENAI_BASE_URL, start Ollama, " +
		"or write a config with `roundtable config init`."

	// GetSeats is how to get more seats where a config names them.
	GetSeats = "Set what the seats lack, or change them in the config (`roundtable config path` prints where), and restart."

	// NeedsNoModel is what can be tried without one.
	NeedsNoModel = "The panel demo needs no model: its answers are scripted."
)

// NoModel says both, as the reason why a debate does not start.
func NoModel() error { return because(NeedsModel + " " + GetModel) }
