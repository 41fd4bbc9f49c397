package oracle_test

// What docs/verdict.md asks for and the program does not do yet. Panels in which it would
// matter are left out until the constant is set.
const (
	foreignStances  = false // yes and no are read in other languages as a stance too, not only as a choice
	objectEntries   = false // an entry of a ballot can be an object or a number
	unroundedMeans  = false // means of scores are compared as they are, not rounded to hundredths
	pollWithoutPair = false // the first votes are those of the poll also where nobody voted in one of the two polls
	wholeLastRound  = false // "states no position" looks at all that was said in the last round, and neutral is no side
	trimBeforeCut   = false // what does not belong to a label is taken off before it is cut at 40 characters
	exactWeights    = false // half of the weight is no majority, also where sums of fractions are inexact
	noVotersNoCount = false // a level contradicts nothing where nobody has a vote
)
