package demo

// character is a scripted seat: who it is and what it holds at first and later.
type character struct {
	persona string
	first   view
	later   view
}

type view struct {
	text       string
	position   string
	stance     string
	confidence float64
	used       string // request ids, quoted
}

var characters = [...]character{
	{
		persona: "You are the one who builds: you look for the simplest thing that works.",
		first: view{
			text: "“{topic}” sounds larger than it is. Most of what can go wrong can be **undone**, and what is simple is easier to undo.\n\n" +
				"- The simple way has fewer parts that fail.\n- It shows sooner whether it works.\n- What it cannot do, we learn by trying.\n\nI would start small and keep the way back open.",
			position: "Yes, start small and keep the way back open.", stance: "yes", confidence: 0.64,
		},
		later: view{
			text: "The strongest point against me is that a small start can hide a large cost. It is a fair one: so the start has to be *measured*.\n\n" +
				"| Step | Undone in | Shows |\n|---|---|---|\n| a trial | a day | whether it works |\n| one real use | a week | what it costs |\n| all of it | a month | what we missed |\n\nEach step ends with the question whether to go on.",
			position: "Yes, in measured steps that each can be undone.", stance: "yes", confidence: 0.74,
		},
	},
	{
		persona: "You are the one who keeps things running: you ask what happens on the worst day.",
		first: view{
			text: "I look at the worst day, not at the usual one. “{topic}” is asked as if the usual day decided.\n\n" +
				"1. What is hard to see fails late.\n2. What fails late is dear.\n3. Nobody here has said who is called at night.\n\nUntil that is clear the known way is the safer one.",
			position: "No, not before the worst day has an owner.", stance: "no", confidence: 0.58,
		},
		later: view{
			text:     "Steps that can be undone answer half of my worry. The other half stands: somebody has to *look*.\n\n> A check that nobody reads is no check.\n\nName who reads it and when, and I will agree. I do not see that yet.",
			position: "No, until somebody is named who watches it.", stance: "no", confidence: 0.61,
		},
	},
	{
		persona: "You are the one who counts: you want the figure before the opinion.",
		first: view{
			text: "Both sides argue from how such things usually go. “{topic}” is one case, and one figure decides it: what a mistake costs.\n\n" +
				"With it in hand I can say yes or no and mean it. Without it I stay careful.",
			position: "Wait until the cost of a mistake is known.", stance: "no", confidence: 0.52,
		},
		later: view{
			text:     "I asked for a figure and have none. A careful answer is the only one that I can give.",
			position: "Wait: what a mistake would cost is unknown.", stance: "no", confidence: 0.55,
		},
	},
	{
		persona: "You are the one who speaks for those who use it.",
		first: view{
			text:     "Those who live with the answer to “{topic}” are not at this table. What they notice is *change*, and they forgive it when it helps within a week.\n\nI am for it if the first step helps them.",
			position: "Yes, if the first step helps those who use it.", stance: "yes", confidence: 0.6,
		},
		later: view{
			text:     "The steps are good when the first one is of use by itself. A trial that only helps us is no trial.",
			position: "Yes, with a first step that is of use by itself.", stance: "yes", confidence: 0.66,
		},
	},
	{
		persona: "You are the one who remembers: you look for what was tried before.",
		first: view{
			text:     "Questions like “{topic}” have been asked before. What went wrong then was rarely the choice; it was *half* of it, done beside the old way.\n\nDo it whole, or leave it.",
			position: "Neutral: whole or not at all.", stance: "neutral", confidence: 0.5,
		},
		later: view{
			text:     "Steps are well and good, but each needs an end. I hold that two ways side by side are the dearest.",
			position: "Neutral: only with an end date for the old way.", stance: "neutral", confidence: 0.55,
		},
	},
	{
		persona: "You are the one who pays: you look at the whole cost.",
		first: view{
			text:     "The price of “{topic}” is not the start, it is the *keeping*. I count three years: the start, the care, and the way out.\n\nOver three years the simple way is the cheaper one.",
			position: "Yes, it is the cheaper way over three years.", stance: "yes", confidence: 0.57,
		},
		later: view{
			text:     "Nobody has disputed the three years. I stay with it, and put the way out into the budget from the first day.",
			position: "Yes, with the way out in the budget.", stance: "yes", confidence: 0.63,
		},
	},
	{
		persona: "You are the one who breaks things: you look for what an opponent would do.",
		first: view{
			text:     "I ask who would profit if “{topic}” were answered carelessly. There is always somebody.\n\nTwo weak places: the *way in* while both ways run, and the copy that nobody deletes.",
			position: "No, while both ways are open at once.", stance: "no", confidence: 0.56,
		},
		later: view{
			text:     "The way in closes with the old way. Close it first, and I have one objection less. The copy remains.",
			position: "No, until the copies are accounted for.", stance: "no", confidence: 0.54,
		},
	},
	{
		persona: "You are the one who decides late: you want the choice kept open.",
		first: view{
			text:     "Of two answers to “{topic}” I take the one that leaves more answers open tomorrow.\n\nA small start does. A refusal does too, for a while.",
			position: "Yes, because it keeps more choices open.", stance: "yes", confidence: 0.55,
		},
		later: view{
			text:     "After hearing all of it: the steps keep the choice open longest. I would only fix the day on which we look again.",
			position: "Yes, with a day on which we look again.", stance: "yes", confidence: 0.62,
		},
	},
}
