package agents

import (
	"bytes"
	"slices"
	"strings"
)

// reasoningMarks are a pair of marks between which a model writes its reasoning into its text.
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

// templateTokens end a message in chat templates. Servers that do not know them leave them at
// the end of a text.
var templateTokens = []string{
	"<|im_end|>", "<|endoftext|>", "<|end|>", "<|return|>", "<|call|>", harmonyStart, // Qwen, Phi, gpt-oss
	"<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|eot|>", "</s>", "[EOS]", // Llama, Granite, Mistral
	"<｜end▁of▁sentence｜>", "<end_of_turn>", "<turn|>", "<eos>", "<seed:eos>", "[e~[", // DeepSeek, Gemma, Seed-OSS, MiniMax
	"<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>", "<|role_end|>", "<|user|>", "<|observation|>", // Command, Ling, GLM
}

type spoken struct {
	text string
	kind spokenKind
}

type spokenKind int

const (
	answerText spokenKind = iota
	reasoningText
	textWasReasoning // all text before it
)

// reasoningSplitter separates reasoning between marks, and the tokens of chat templates at
// the end, from a text that comes in pieces. It holds back what is not decided yet. Marks in
// fences, in quotations, and within lines are words. The zero value is the beginning of a text.
type reasoningSplitter struct {
	held   []byte
	at     int    // up to where held is read
	line   []byte // what was read of the line, without white space before it
	fence  fence
	begun  bool   // text that is visible has come since the beginning, or since the last reasoning
	trim   bool   // white space before the text is no part of it
	met    bool   // a mark was met: a closing one alone is a word from here on
	open   string // the opening mark of the reasoning under way; "" outside it
	amid   *place // of the opening mark, if what follows is reasoning only once it is closed
	alone  *place // of a closing mark that counts if its line ends with it
	tokens *place // of tokens of which nothing visible follows
	out    []spoken
}

type place struct{ start, end int }

func (s *reasoningSplitter) write(piece string) []spoken {
	s.held = append(s.held, piece...)
	s.read(false)
	s.release()
	return s.take()
}

// end returns the rest. The splitter is at the beginning of a text again.
func (s *reasoningSplitter) end() []spoken {
	s.read(true)
	if s.alone != nil {
		s.endReasoning(*s.alone)
	}
	if s.tokens != nil {
		s.held = s.held[:s.tokens.start]
	}
	if s.trim && !s.begun {
		s.held = bytes.TrimSpace(s.held)
	}
	s.pass(len(s.held))
	out := s.take()
	*s = reasoningSplitter{}
	return out
}

func (s *reasoningSplitter) take() []spoken {
	out := s.out
	s.out = nil
	return out
}

func (s *reasoningSplitter) read(last bool) {
	for s.at < len(s.held) {
		mark, more := markAt(s.held[s.at:])
		if !last && (more || mark != "" && s.at+len(mark) == len(s.held)) { // what follows it decides
			return
		}
		if mark == "" || !s.readMark(mark) {
			s.readByte()
		}
	}
}

func (s *reasoningSplitter) readByte() {
	c := s.held[s.at]
	switch {
	case c == '\n' && s.alone != nil:
		s.endReasoning(*s.alone)
		return
	case c == '\n':
		s.fence, s.line = s.fence.after(string(s.line)), s.line[:0]
	case isBlank(c):
		if len(s.line) > 0 {
			s.line = append(s.line, c)
		}
	default:
		s.line = append(s.line, c)
		s.tokens, s.alone = nil, nil
		if !s.begun && s.open == "" {
			s.begun = true
			if s.trim {
				s.trim = false
				s.drop(s.at)
			}
		}
	}
	s.at++
}

// markAt returns the longest mark or token at the beginning of a text, "" if none is found,
// and whether more text may make it longer.
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
	first := len(s.line) == 0 && s.fence.size == 0
	for _, m := range knownMarks {
		switch {
		case m.open == mark && s.open == "":
			return s.readOpening(mark, first)
		case m.close == mark && s.open == m.open:
			return s.readClosing(mark)
		case m.close == mark && s.open == "" && !m.paired:
			return s.readAlone(mark, first)
		}
	}
	if !slices.Contains(templateTokens, mark) {
		return false
	}
	if s.tokens == nil {
		s.tokens = &place{start: s.at}
	}
	s.at += len(mark)
	return true
}

func (s *reasoningSplitter) readOpening(mark string, first bool) bool {
	s.met = s.met || s.fence.size == 0
	if !first {
		return false
	}
	s.open, s.tokens, s.alone = mark, nil, nil
	if s.begun {
		s.amid = &place{s.at, s.at + len(mark)}
		s.skip(mark)
		return true
	}
	s.drop(s.at + len(mark))
	s.line = s.line[:0]
	return true
}

func (s *reasoningSplitter) readClosing(mark string) bool {
	after := s.at + len(mark)
	if n := len(s.line); n > 0 && after < len(s.held) && s.line[n-1] == s.held[after] && strings.IndexByte("`\"'", s.held[after]) >= 0 {
		return false
	}
	s.endReasoning(place{s.at, after})
	return true
}

func (s *reasoningSplitter) readAlone(mark string, first bool) bool {
	this := place{s.at, s.at + len(mark)}
	switch {
	case s.met, s.fence.size > 0, bytes.HasPrefix(s.line, []byte(">")):
		return false
	case first:
		s.endReasoning(this)
	default:
		s.alone = &this
		s.skip(mark)
	}
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (s *reasoningSplitter) skip(mark string) {
	s.line = append(s.line, mark...)
	s.at += len(mark)
}

func (s *reasoningSplitter) endReasoning(mark place) {
	from := 0
	switch {
	case s.amid != nil:
		s.add(answerText, s.held[:s.amid.start])
		from = s.amid.end
	case s.open == "":
		s.out = append(s.out, spoken{kind: textWasReasoning})
	}
	s.add(reasoningText, s.held[from:mark.start])
	s.drop(mark.end)
	s.open, s.begun, s.trim, s.met, s.line, s.fence = "", false, true, true, s.line[:0], fence{}
	s.amid, s.alone = nil, nil
}

func (s *reasoningSplitter) release() {
	end := s.at
	for _, p := range []*place{s.amid, s.alone, s.tokens} {
		if p != nil {
			end = min(end, p.start)
		}
	}
	if s.open != "" || s.begun {
		s.pass(end)
	}
}

func (s *reasoningSplitter) pass(end int) {
	kind := answerText
	if s.open != "" && s.amid == nil {
		kind = reasoningText
	}
	s.add(kind, s.held[:end])
	s.drop(end)
}

func (s *reasoningSplitter) add(kind spokenKind, text []byte) {
	if len(text) > 0 {
		s.out = append(s.out, spoken{string(text), kind})
	}
}

func (s *reasoningSplitter) drop(size int) {
	s.held, s.at = s.held[size:], max(0, s.at-size)
	for _, p := range []*place{s.amid, s.alone, s.tokens} {
		if p != nil {
			p.start, p.end = p.start-size, p.end-size
		}
	}
	if s.tokens != nil && s.tokens.start < 0 {
		s.tokens = nil
	}
}
