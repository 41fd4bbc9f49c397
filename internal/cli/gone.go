package cli

// gone says what to use in place of a command ("import") or a flag ("run --weighted") that
// was taken away. The command of a flag of the root is "roundtable"; a shorthand ("-r") has
// two dashes too.
var gone = map[string]string{
	"import": "an export cannot be read back; `roundtable sessions --copy FILE` copies the database, which --db FILE opens elsewhere",
	"track":  "`roundtable outcome ID right` says how a verdict turned out; `roundtable sessions` lists it",
	"join":   "questions that ask the same are one by themselves; answer each other one with `roundtable answer ID REQUEST`",

	"roundtable --resume": "`roundtable resume ID` opens a debate by its id",
	"roundtable --r":      "`roundtable resume ID` opens a debate by its id",
}
