package agents_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
)

// said is what a completion comes to.
type said struct{ Text, Reasoning string }

// hear has a model write a text in pieces and returns what comes of it. What was observed
// piece by piece has to be the same.
func hear(t *testing.T, pieces ...string) said {
	t.Helper()
	var got, observed said
	_, err := ada(&scriptedProvider{completions: []scriptedCompletion{text(pieces...)}}).Speak(t.Context(), turn, prompt, nil,
		func(p agents.Progress) error {
			switch p := p.(type) {
			case agents.Text:
				switch {
				case p.Moves:
					observed = said{Reasoning: observed.Reasoning + observed.Text}
				case p.Reasoning:
					observed.Reasoning += p.Text
				default:
					observed.Text += p.Text
				}
			case agents.Completed:
				got = said{p.Completion.Text, p.Completion.Reasoning}
			}
			return nil
		})
	if err != nil {
		got = observed
		if f := failure(t, err); f.Kind != agents.KindEmpty {
			t.Errorf("%q fails: %v", pieces, err)
		}
	}
	if got != observed {
		t.Errorf("%q: the completion has %q, observed was %q", pieces, got, observed)
	}
	return got
}

// everyWay checks what a text comes to as a whole, by bytes and cut once anywhere.
func everyWay(t *testing.T, text string, want said) {
	t.Helper()
	ways := [][]string{{text}, strings.Split(text, "")}
	for i := 1; i < len(text); i++ {
		if utf8.RuneStart(text[i]) {
			ways = append(ways, []string{text[:i], text[i:]})
		}
	}
	for _, pieces := range ways {
		if diff := cmp.Diff(want, hear(t, pieces...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", pieces, diff)
			return
		}
	}
}

func TestSpeak_takesReasoningBetweenMarksOutOfTheText(t *testing.T) {
	t.Parallel()
	for _, marks := range [][2]string{
		{"<think>", "</think>"},
		{"<thinking>", "</thinking>"},
		{"<thought>", "</thought>"},
		{"<reasoning>", "</reasoning>"},
		{"<seed:think>", "</seed:think>"},
		{"<mm:think>", "</mm:think>"},
		{"<think:opensource>", "</think:opensource>"},
		{"[THINK]", "[/THINK]"},
		{"◁think▷", "◁/think▷"},
		{"<|open|>think<|sep|>", "<|close|>think<|sep|>"},
		{"<|START_THINKING|>", "<|END_THINKING|>"},
		{"<|inner_prefix|>", "<|inner_suffix|>"},
		{"<|begin_of_thought|>", "<|end_of_thought|>"},
		{"<|channel>thought", "<channel|>"},
		{"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"},
		{"<|channel|>analysis<|message|>", "<|end|>"},
		{"<|start|>assistant<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"},
	} {
		everyWay(t, marks[0]+"Hm, a < b.\n"+marks[1]+"\n\nYes, [so] it is.", said{"Yes, [so] it is.", "Hm, a < b.\n"})
	}
}

func TestSpeak_findsReasoningWhereverItIsWritten(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       said
	}{
		{"white space first", "\n <think>Hm.</think>\nYes.", said{"Yes.", "Hm."}},
		{"glued", "<think>Hm.</think>Yes.", said{"Yes.", "Hm."}},
		{"twice", "<think>Hm.</think>\n<think>So.</think>\nYes.", said{"Yes.", "Hm.So."}},
		{"empty", "<think>\n\n</think>\n\nYes.", said{"Yes.", "\n\n"}},
		{"of two kinds", "<think>Hm.</think>\n[THINK]So.[/THINK]Yes.", said{"Yes.", "Hm.So."}},
		{"never closed", "<think>Hm.</thi", said{"", "Hm.</thi"}},
		{"and nothing else", "<think>Hm.</think>\n", said{"", "Hm."}},
		{"amid the text", "First.\n<think>\nHm.\n</think>\nYes.", said{"First.\nYes.", "\nHm.\n"}},
		{"amid the text, never closed", "First.\n<think>\nYes.", said{"First.\n<think>\nYes.", ""}},
		{"that quotes its marks", "<think>I say `</think>` and \"</think>\", no more.</think>Yes.", said{"Yes.", "I say `</think>` and \"</think>\", no more."}},
		{"with code left open", "<think>A ` is odd</think>\nYes.", said{"Yes.", "A ` is odd"}},
		{"closed alone, at the start of a line", "Hm.\n</think>\n\nYes.", said{"Yes.", "Hm.\n"}},
		{"closed alone, glued to the answer", "Hm.\n</think>Yes.", said{"Yes.", "Hm.\n"}},
		{"closed alone, at the end of a line", "Hm. [/THINK]\nYes.", said{"Yes.", "Hm. "}},
		{"closed alone, of harmony", "Hm.\n<|channel|>final<|message|>Yes.<|return|>", said{"Yes.", "Hm.\n"}},
		{"closed alone, first", "</think>\n\nYes.", said{"Yes.", ""}},
		{"closed alone, with nothing after it", "Hm.\n</think>\n", said{"", "Hm.\n"}},
		{"closed alone, with a token after it", "Hm.\n</think>\n<|im_end|>", said{"", "Hm.\n"}},
		{"closed alone after it was quoted", "I say `</think>` now.\n</think>\nYes.", said{"Yes.", "I say `</think>` now.\n"}},
		// LocalAI issue 4761: R1 distilled, whose template opens the reasoning in the prompt.
		{"R1 without its opening mark", "Okay, the user asks why.\n\nSo blue.\n</think>\n\n**Rayleigh**", said{"**Rayleigh**", "Okay, the user asks why.\n\nSo blue.\n"}},
		// Gemma 4 opens a thought although it was told not to think, and leaves its end of turn.
		{"an empty thought of Gemma", "<|channel>thought\n<channel|>Yes.<turn|>", said{"Yes.", "\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			everyWay(t, tt.text, tt.want)
		})
	}
}

func TestSpeak_leavesTokensOfTemplatesOutAtTheEndAlone(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"<|im_end|>", "<|eot_id|>", "</s>", "<|end|>", "<|return|>", "<end_of_turn>", "<｜end▁of▁sentence｜>"} {
		everyWay(t, "Yes."+token, said{Text: "Yes."})
		everyWay(t, "Yes.\n"+token+"\n"+token, said{Text: "Yes.\n"})
		everyWay(t, "```\nYes.\n```"+token, said{Text: "```\nYes.\n```"})
		everyWay(t, "It ends in "+token+" or so.", said{Text: "It ends in " + token + " or so."})
		everyWay(t, "It ends in `"+token+"`", said{Text: "It ends in `" + token + "`"})
	}
}

// parserDebate has statements of a debate about parsers of reasoning.
var parserDebate = []string{
	"The parser cuts at the first `</think>`.\nIt must not, since `<think>` may never come.\n\n```json\n{\"position\": \"drop <think>\", \"vote\": \"yes\"}\n```",
	"Look for </think> alone, never for its pair: an unpaired </think> in a line of prose is no mark.\nSo I vote yes.",
	"R1 writes:\n\n```text\n<think>\nHm.\n</think>\nYes.\n```\n\nand with its template:\n\n~~~\nHm.\n</think>\nYes.\n~~~\nBoth have to be read.",
	"She wrote:\n> Hm.\n> </think>\n> Yes.\n\nI disagree: “</think>” and \"[/THINK]\" are marks of two families, '</think>' is the older one.",
	"Use <think> and </think>, or [THINK] and [/THINK]; a stray <|channel|> is worse.\nSo <think>...</think> stays as it is, says the template.",
}

func TestSpeak_keepsEveryWordAboutParsersOfReasoning(t *testing.T) {
	t.Parallel()
	for _, statement := range parserDebate {
		everyWay(t, statement, said{Text: statement})
	}
}

// hostileMarks are pieces that come close to marks.
var hostileMarks = []string{
	"<", "<think>", "</think>", "\n</think>", "\n</think>\n", "\n</think> \n \t", "`</think>", "\n```\n</think>\n", "a\n<think>b", "<think>b</think>",
	"a <think>b\n", "<|im_end|>", "<|im_end|> ", "<|end|><|start|>", "<|channel|>analysis<|messag", "[THINK][", "◁", "\"</think>", "> </think>\n", "~~~\n", "word ",
}

// FuzzReasoning writes any text in pieces. How it is cut changes nothing, and nothing is
// added to it.
func FuzzReasoning(f *testing.F) {
	for _, s := range append(hostileMarks, parserDebate...) {
		f.Add(s+"\nHm.\n"+s+" Yes.", 5)
	}
	f.Add("<think>Hm.\n</think>\nYes.<|im_end|>", 1)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < 1 || len(text) > 4<<10 || !utf8.ValidString(text) {
			return
		}
		var pieces []string
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n++
			}
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		got := hear(t, text)
		if diff := cmp.Diff(got, hear(t, pieces...)); diff != "" {
			t.Errorf("in pieces of %d (-whole +pieces):\n%s", size, diff)
		}
		if len(got.Text)+len(got.Reasoning) > len(text) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
