package agents

import (
	"cmp"
	"slices"
	"strings"
)

type reasoningMarks struct {
	open, close string
	paired      bool // the closing mark means something else without the opening one
}

// knownMarks are the marks of models, as their chat templates and the parsers of vLLM, SGLang
// and llama.cpp have them. Where two closing marks begin alike, the longer one counts.
var knownMarks = []reasoningMarks{
	{open: "<think>", close: "</think>"},                           // Qwen3, QwQ, DeepSeek-R1, GLM-4.5, MiniMax M2
	{open: "<thinking>", close: "</thinking>"},                     // models tuned on Claude's answers
	{open: "<thought>", close: "</thought>"},                       // EXAONE Deep, Gemini's OpenAI endpoint
	{open: "<reasoning>", close: "</reasoning>"},                   // models tuned with GRPO recipes
	{open: "<seed:think>", close: "</seed:think>"},                 // Seed-OSS
	{open: "<mm:think>", close: "</mm:think>"},                     // MiniMax M3
	{open: "<think:opensource>", close: "</think:opensource>"},     // Hunyuan
	{open: "[THINK]", close: "[/THINK]"},                           // Magistral, Ministral 3
	{open: "◁think▷", close: "◁/think▷"},                           // Kimi-VL
	{open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>"}, // Kimi K3
	{open: "<|START_THINKING|>", close: "<|END_THINKING|>"},        // Command A Reasoning
	{open: "<|inner_prefix|>", close: "<|inner_suffix|>"},          // Apertus
	{open: "<|begin_of_thought|>", close: "<|end_of_thought|>"},    // OpenThinker, Sky-T1
	{open: "<|channel>thought", close: "<channel|>"},               // Gemma 4
	{open: harmonyAnalysis, close: harmonyFinal},                   // gpt-oss
	{open: harmonyAnalysis, close: "<|end|>" + harmonyStart + harmonyFinal},
	{open: harmonyAnalysis, close: "<|end|>", paired: true},
}

// The parts of OpenAI's harmony format.
const (
	harmonyStart    = "<|start|>assistant"
	harmonyAnalysis = "<|channel|>analysis<|message|>"
	harmonyFinal    = "<|channel|>final<|message|>"
)

// templateTokens end a message in chat templates. Some servers leave them at the end of a text.
var templateTokens = []string{
	"<|im_end|>", "<|endoftext|>", "<|end|>", "<|return|>", "<|call|>", harmonyStart, // Qwen, Phi, gpt-oss
	"<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|eot|>", "</s>", "[EOS]", // Llama, Granite, Mistral
	"<｜end▁of▁sentence｜>", "<end_of_turn>", "<turn|>", "<eos>", "<seed:eos>", "[e~[", // DeepSeek, Gemma, Seed-OSS, MiniMax
	"<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>", "<|role_end|>", "<|user|>", "<|observation|>", // Command, Ling, GLM
}

// reasoningSplitter separates reasoning between marks, and the tokens of chat templates at
// the end, from a text that comes in pieces. It holds back what is not decided yet. Marks in
// fences, in quotations, and within lines are words. The zero value is the beginning of a text.
type reasoningSplitter struct {
	text     []byte
	at, sent int  // up to where it is read, and passed on
	line     int  // where the line begins, or what follows a mark in it
	lead     byte // the first character of that line that is no blank; 0: none so far
	fence    fence
	begun    bool   // text that is visible has come since the beginning, or since the last reasoning
	trim     bool   // white space before the text is no part of it
	met      bool   // a mark was met: a closing one alone is a word from here on
	open     string // the opening mark of the reasoning under way; "" outside it
	amid     place  // of the opening mark, if what follows is reasoning only once it is closed
	alone    place  // of a closing mark that counts if its line ends with it
	tokens   place  // of tokens of which nothing visible follows
	out      []Text
}

type place struct{ start, end int }

func (s *reasoningSplitter) write(piece string) []Text {
	s.text = append(s.text, piece...)
	s.read(false)
	end := s.at
	for _, p := range []place{s.amid, s.alone, s.tokens} {
		if p.end > 0 {
			end = min(end, p.start)
		}
	}
	if s.open != "" || s.begun {
		s.pass(end)
	}
	out := s.out
	s.out = nil
	return out
}

// end returns the rest. The splitter is at the beginning of a text again.
func (s *reasoningSplitter) end() []Text {
	s.read(true)
	if s.alone.end > 0 {
		s.endReasoning(s.alone)
	}
	end := len(s.text)
	if s.tokens.end > 0 {
		end = s.tokens.start
	}
	if !s.trim || s.begun || s.open != "" {
		s.pass(end)
	}
	out := s.out
	*s = reasoningSplitter{}
	return out
}

func (s *reasoningSplitter) read(last bool) {
	for s.at < len(s.text) {
		mark, more := markAt(s.text[s.at:])
		if !last && (more || mark != "" && s.at+len(mark) == len(s.text)) { // what follows it decides
			return
		}
		if mark == "" || !s.readMark(mark) {
			s.readByte()
		}
	}
}

func (s *reasoningSplitter) readByte() {
	switch c := s.text[s.at]; {
	case c == '\n' && s.alone.end > 0:
		s.endReasoning(s.alone)
		return
	case c == '\n':
		s.fence, s.line, s.lead = s.fence.after(string(s.text[s.line:s.at])), s.at+1, 0
	case c != ' ' && c != '\t' && c != '\r':
		s.tokens, s.alone, s.lead = place{}, place{}, cmp.Or(s.lead, c)
		if s.open == "" && !s.begun {
			s.begun = true
			if s.trim {
				s.trim, s.sent = false, s.at
			}
		}
	}
	s.at++
}

// markAt returns the longest mark or token that begins a text, and whether more may make it longer.
func markAt(rest []byte) (mark string, more bool) {
	if strings.IndexByte("<[\xe2", rest[0]) < 0 {
		return "", false
	}
	text := string(rest[:min(len(rest), maxMark)])
	try := func(m string) {
		if strings.HasPrefix(text, m) && len(m) > len(mark) {
			mark = m
		}
		more = more || len(m) > len(text) && strings.HasPrefix(m, text)
	}
	for _, m := range knownMarks {
		try(m.open)
		try(m.close)
	}
	for _, t := range templateTokens {
		try(t)
	}
	return mark, more
}

const maxMark = 64

// readMark reads a mark or a token at the place. It returns false if that is an ordinary word.
func (s *reasoningSplitter) readMark(mark string) bool {
	this := place{s.at, s.at + len(mark)}
	first := s.lead == 0 && s.fence.size == 0
	for _, m := range knownMarks {
		switch {
		case m.open == mark && s.open == "":
			s.met = s.met || s.fence.size == 0
			if first {
				s.beginReasoning(mark, this)
			}
			return first
		case m.close == mark && s.open == m.open:
			quoted := s.lead != 0 && this.end < len(s.text) && s.text[s.at-1] == s.text[this.end] &&
				strings.IndexByte("`\"'", s.text[this.end]) >= 0
			if !quoted {
				s.endReasoning(this)
			}
			return !quoted
		case m.close == mark && s.open == "" && !m.paired:
			switch {
			case s.met, s.fence.size > 0, s.lead == '>':
				return false
			case first:
				s.endReasoning(this)
			default:
				s.alone, s.at = this, this.end
			}
			return true
		}
	}
	if !slices.Contains(templateTokens, mark) {
		return false
	}
	if s.tokens.end == 0 {
		s.tokens = this
	}
	if s.at = this.end; s.lead == 0 {
		s.line = s.at
	}
	return true
}

func (s *reasoningSplitter) beginReasoning(mark string, at place) {
	s.open, s.at, s.tokens, s.alone = mark, at.end, place{}, place{}
	if s.begun {
		s.amid, s.lead = at, mark[0]
	} else {
		s.sent, s.line = at.end, at.end
	}
}

func (s *reasoningSplitter) endReasoning(mark place) {
	switch {
	case s.amid.end > 0:
		s.add(s.amid.start, false)
		s.sent = s.amid.end
	case s.open == "":
		s.out = append(s.out, Text{Reasoning: true, Moves: true})
	}
	s.add(mark.start, true)
	s.at, s.sent = max(s.at, mark.end), mark.end
	s.line, s.lead, s.fence, s.open = s.at, 0, fence{}, ""
	s.begun, s.trim, s.met = false, true, true
	s.amid, s.alone = place{}, place{}
	if s.tokens.start < mark.end {
		s.tokens = place{}
	}
}

func (s *reasoningSplitter) pass(end int) {
	s.add(end, s.open != "" && s.amid.end == 0)
}

func (s *reasoningSplitter) add(end int, reasoning bool) {
	if end > s.sent {
		s.out = append(s.out, Text{Text: string(s.text[s.sent:end]), Reasoning: reasoning})
		s.sent = end
	}
}
