package prompt_test

import (
	"cmp"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
)

func TestScrubbed(t *testing.T) {
	for name, c := range map[string]struct {
		mode  string   // delphi, which hides names, if it is empty
		seats []string // each as ID|NAME|MODEL; the last is the chair
		texts map[string]string
	}{
		"whole words in whatever case": {
			seats: []string{"ada|Ada|maker/gpt-5-mini", "rené|René van Dyk|o3", "ада|Ада|o3", "boss|Bosse|big-one"},
			texts: map[string]string{
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
			},
		},
		"where names are shown": {
			mode: "collaborative", seats: []string{"ada|Ada|o3", "boss|Bosse|big-one"}, texts: map[string]string{"Ada": "Ada"},
		},
		"the longest of names that begin alike": {
			seats: []string{"ann|Ann|m1", "ann-lee|Ann Lee|m1-large", "boss|Bosse|big-one"},
			texts: map[string]string{
				"Ann Lee met Ann; Ann Leed; m1-large, m1": "Participant 2 met Participant 1; Participant 1 Leed; [a model], [a model]",
			},
		},
		"names of several words": {
			seats: []string{
				"first|Ada Lovelace|m1", "second|Ada von Byron|m1", "third|Jean-Luc O'Brien|m1", "fourth|Lovelace|m1",
				"boss|Grace Hopper|big-one",
			},
			texts: map[string]string{
				"Ada Lovelace, ada  LOVELACE":      "Participant 1, Participant 1",
				"Ada\u00a0Lovelace, Ada\nLovelace": "Participant 1, Participant 1",
				"Lovelace herself":                 "Participant 4 herself",
				"Jean\u2011luc o’Brien":            "Participant 3",
				"Hopper and Grace Hopper":          "Hopper and the chair",
				"Bryon, Adam, Jeans, Lucas":        "Bryon, Adam, Jeans, Lucas",
			},
		},
		"the family of a model with its version": {
			seats: []string{
				"ada|Ada|openai/gpt-5-mini", "brook|Brook|anthropic/claude-sonnet-4.5:beta", "cyd|Cyd|llama3.1:8b",
				"dee|Dee|codestral-latest", "eve|Eve|o3", "boss|Bosse|big-one",
			},
			texts: map[string]string{
				"gpt-5-mini, GPT\u20115\u2011mini":     "[a model], [a model]",
				"As GPT-4o, GPT 5 or ChatGPT":          "As [a model], [a model] 5 or ChatGPT",
				"GPT-5.":                               "[a model].",
				"Claude, claude-sonnet-4.5, Claude3.5": "[a model], [a model], [a model]",
				"Llama3.1 and llama2, or llamas":       "[a model] and [a model], or llamas",
				"Codestral of Mistral":                 "[a model] of [a model]",
				"o3, not oil":                          "[a model], not oil",
			},
		},
		"names of all scripts": {
			seats: []string{
				"first|Nguyễn Weiß|m1", "second|王小明|m1", "third|김민준|m1", "fourth|アダム|m1", "fifth|สมชาย|m1", "sixth|İpek Işık|m1",
				"seventh|Σωκράτης|m1", "eighth|Zoë|m1", "boss|Bosse|big-one",
			},
			texts: map[string]string{
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
			},
		},
	} {
		s := debate.Session{Mode: debatetest.Mode(t, cmp.Or(c.mode, "delphi"))}
		for _, seat := range c.seats {
			of := strings.Split(seat, "|")
			s.Seats = append(s.Seats, agents.Profile{ID: agents.ID(of[0]), Name: of[1], Model: of[2]})
		}
		last := len(s.Seats) - 1
		s.Seats, s.Chair = s.Seats[:last], &s.Seats[last]
		for text, want := range c.texts {
			if got := prompt.NewAnonymizer(s).Scrub(text); got != want {
				t.Errorf("%s: %q becomes %q, want %q", name, text, got, want)
			}
		}
	}
}
