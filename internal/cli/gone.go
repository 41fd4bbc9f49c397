package cli

// gone says what to use in place of a command that was taken away.
var gone = map[string]string{
	"import": "an export cannot be read back; `roundtable sessions --copy FILE` copies the database, which --db FILE opens elsewhere",
	"join":   "questions that ask the same are one by themselves; answer each other one with `roundtable answer ID REQUEST`",
}
