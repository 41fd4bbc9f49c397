package prompt_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
)

func sessionWithLabels(t *testing.T, seats ...agents.Profile) debate.Session {
	return debate.Session{Mode: debatetest.Mode(t, "delphi"), Seats: seats, Chair: &agents.Profile{
		ID:   "boss",
		Name: "Bosse", Model: "big-one",
	}}
}

func scrubs(t *testing.T, s debate.Session, texts map[string]string) {
	t.Helper()
	for text, want := range texts {
		if got := prompt.NewAnonymizer(s).Scrub(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestScrubbed_hidesWholeWordsInWhateverCase(t *testing.T) {
	s := sessionWithLabels(t, agents.Profile{ID: "ada", Name: "Ada", Model: "maker/gpt-5-mini"}, agents.Profile{
		ID:   "rené",
		Name: "René van Dyk", Model: "o3",
	}, agents.Profile{ID: "ада", Name: "Ада", Model: "o3"})
	scrubs(t, s, map[string]string{
		"Ada, ADA and ada's":            "Participant 1, Participant 1 and Participant 1's",
		"Adam and Canada and ada1":      "Adam and Canada and ada1",
		"RENÉ VAN DYK agrees; René too": "Participant 2 agrees; Participant 2 too",
		"Rene\u0301 van Dyk":            "Participant 2",
		"Renée":                         "Renée",
		"АДА права":                     "Participant 3 права",
		"I run on GPT-5-mini.":          "I run on [a model].",
		"maker/gpt-5-mini or big-two":   "[a model] or [a model]-two",
		"o3 has O3, not o33":            "[a model] has [a model], not o33",
		"Bosse and boss on big-one":     "the chair and the chair on [a model]",
		"**Ada**_ada_\"ada\"":           "**Participant 1**_Participant 1_\"Participant 1\"",
		"ada\xffada":                    "Participant 1\xffParticipant 1",
		"":                              "",
	})
	s.Mode = debatetest.Mode(t, "collaborative") // names are shown
	scrubs(t, s, map[string]string{"Ada": "Ada"})
}

func TestScrubbed_takesTheLongestOfNamesThatBeginAlike(t *testing.T) {
	s := sessionWithLabels(t, agents.Profile{ID: "ann", Name: "Ann", Model: "m1"}, agents.Profile{ID: "ann-lee", Name: "Ann Lee", Model: "m1-large"})
	scrubs(t, s, map[string]string{
		"Ann Lee met Ann; Ann Leed; m1-large, m1": "Participant 2 met Participant 1; Participant 1 Leed; [a model], [a model]",
	})
}

func TestScrubbed_hidesNamesOfSeveralWords(t *testing.T) {
	s := sessionWithLabels(t,
		agents.Profile{ID: "first", Name: "Ada Lovelace", Model: "m1"},
		agents.Profile{ID: "second", Name: "Ada von Byron", Model: "m1"},
		agents.Profile{ID: "third", Name: "Jean-Luc O'Brien", Model: "m1"},
		agents.Profile{ID: "fourth", Name: "Lovelace", Model: "m1"},
	)
	s.Chair.Name = "Grace Hopper"
	scrubs(t, s, map[string]string{
		"Ada Lovelace, ada  LOVELACE, Ada\u00a0Lovelace, Ada\nLovelace": "Participant 1, Participant 1, Participant 1, Participant 1",
		"Lovelace herself":          "Participant 4 herself",
		"Jean\u2011luc o’Brien":     "Participant 3",
		"Hopper and Grace Hopper":   "Hopper and the chair",
		"Bryon, Adam, Jeans, Lucas": "Bryon, Adam, Jeans, Lucas",
	})
}

func TestScrubbed_hidesTheFamilyOfAModelWithItsVersion(t *testing.T) {
	s := sessionWithLabels(t,
		agents.Profile{ID: "ada", Name: "Ada", Model: "openai/gpt-5-mini"},
		agents.Profile{ID: "brook", Name: "Brook", Model: "anthropic/claude-sonnet-4.5:beta"},
		agents.Profile{ID: "cyd", Name: "Cyd", Model: "llama3.1:8b"},
		agents.Profile{ID: "dee", Name: "Dee", Model: "codestral-latest"},
		agents.Profile{ID: "eve", Name: "Eve", Model: "o3"},
	)
	scrubs(t, s, map[string]string{
		"gpt-5-mini, GPT\u20115\u2011mini":     "[a model], [a model]",
		"As GPT-4o, GPT 5 or ChatGPT":          "As [a model], [a model] 5 or ChatGPT",
		"GPT-5.":                               "[a model].",
		"Claude, claude-sonnet-4.5, Claude3.5": "[a model], [a model], [a model]",
		"Llama3.1 and llama2, or llamas":       "[a model] and [a model], or llamas",
		"Codestral of Mistral":                 "[a model] of [a model]",
		"o3, not oil":                          "[a model], not oil",
	})
}

func TestScrubbed_knowsHowNamesAreWritten(t *testing.T) {
	s := sessionWithLabels(t,
		agents.Profile{ID: "first", Name: "Nguyễn Weiß", Model: "m1"},
		agents.Profile{ID: "second", Name: "王小明", Model: "m1"},
		agents.Profile{ID: "third", Name: "김민준", Model: "m1"},
		agents.Profile{ID: "fourth", Name: "アダム", Model: "m1"},
		agents.Profile{ID: "fifth", Name: "สมชาย", Model: "m1"},
		agents.Profile{ID: "sixth", Name: "İpek Işık", Model: "m1"},
		agents.Profile{ID: "seventh", Name: "Σωκράτης", Model: "m1"},
		agents.Profile{ID: "eighth", Name: "Zoë", Model: "m1"},
	)
	scrubs(t, s, map[string]string{
		"NGUYỄN WEISS, Nguye\u0302\u0303n Weiß, nguyen weiss": "Participant 1, Participant 1, Participant 1",
		"我同意王小明的观点":                                           "我同意Participant 2的观点",
		"김민준은 옳다, 새김민준":                                       "Participant 3은 옳다, 새김민준",
		"\u1100\u1175\u11b7민준이":                               "Participant 3이",
		"私はアダムに賛成, アダムス":                                      "私はParticipant 4に賛成, アダムス",
		"คุณสมชายพูดถูก":                                      "คุณParticipant 5พูดถูก",
		"ipek IŞIK, İPEK ışık, ipek isik":                     "Participant 6, Participant 6, Participant 6",
		"ΣΩΚΡΆΤΗΣ, σωκρατης":                                  "Participant 7, Participant 7",
		"Zoe, Zoe\u0308, Z\u00adoë, Zoés":                     "Participant 8, Participant 8, Participant 8, Zoés",
		"Zoe说, 说Zoë":                                          "Participant 8说, 说Participant 8",
	})
}
