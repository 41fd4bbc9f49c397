package agents

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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
	{open: plainAnalysis, close: "assistantfinal", paired: true}, // gpt-oss through servers that leave out special tokens
}

// The parts of OpenAI's harmony format.
const (
	harmonyStart    = "<|start|>assistant"
	harmonyAnalysis = "<|channel|>analysis<|message|>"
	harmonyFinal    = "<|channel|>final<|message|>"
	plainAnalysis   = "analysis" // a word, unless it begins a text and is closed
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
// inline code and quotations are words. The zero value is the beginning of a text.
type reasoningSplitter struct {
	quoting
	held   []byte
	at     int    // up to where held is read
	begun  bool   // text that is visible has come since the beginning, or since the last reasoning
	trim   bool   // white space before the text is no part of it
	open   string // the opening mark of the reasoning under way; "" outside it
	maybe  *place // of the opening mark, if what follows is reasoning only once it is closed
	close  *place // of a closing mark that depends on what follows
	fenced *place // of a closing mark in a fence; it counts if the fence stays open
	tokens *place // of tokens of which nothing visible follows
	known  map[string]bool
	match  markMatch
	out    []spoken
	looked int // bytes
}

type place struct {
	start, end int
	counts     bool // a closing mark is at the beginning of a line, or what follows it has shown that it counts
}

func (s *reasoningSplitter) write(piece string) []spoken {
	s.held = append(s.held, piece...)
	s.read(false)
	s.release()
	return s.take()
}

// end returns the rest. The splitter is at the beginning of a text again.
func (s *reasoningSplitter) end() []spoken {
	s.read(true)
	switch {
	case s.close != nil:
		s.endReasoning(*s.close)
	case s.fenced != nil:
		s.endReasoning(*s.fenced)
	}
	if s.tokens != nil {
		s.held = s.held[:s.tokens.start]
	}
	if s.trim && !s.begun {
		s.held = bytes.TrimSpace(s.held)
	}
	s.pass(len(s.held))
	out := s.take()
	*s = reasoningSplitter{looked: s.looked}
	return out
}

func (s *reasoningSplitter) take() []spoken {
	out := s.out
	s.out = nil
	return out
}

func (s *reasoningSplitter) read(last bool) {
	for s.at < len(s.held) {
		rest := s.held[s.at:]
		size, more := s.matchMark(rest)
		if !last && (more || !utf8.FullRune(rest)) {
			return
		}
		if size > 0 {
			if !last && size == len(rest) && s.opens(rest) { // what follows it decides
				return
			}
			if s.readMark(string(rest[:size])) {
				continue
			}
		}
		s.readRune(rest)
	}
}

func (s *reasoningSplitter) readRune(rest []byte) {
	c, _ := utf8.DecodeRune(rest)
	if unicode.IsSpace(c) {
		if c == '\n' && s.close != nil {
			s.close.counts = true
		}
	} else if s.settle() {
		return
	} else {
		s.tokens = nil
		s.begin()
	}
	s.at, s.match = s.at+s.next(rest), markMatch{}
	s.looked++
	if s.fence.mark == 0 {
		s.fenced = nil
	}
}

func (s *reasoningSplitter) begin() {
	if s.begun || s.open != "" {
		return
	}
	s.begun = true
	if s.trim {
		s.trim = false
		s.drop(s.at)
	}
}

// settle decides about a closing mark once something visible follows. It reports whether the
// mark counts.
func (s *reasoningSplitter) settle() bool {
	mark := s.close
	s.close = nil
	if mark == nil || !mark.counts {
		return false
	}
	s.endReasoning(*mark)
	return true
}

// allMarks are the marks and tokens. All but the plain ones begin with "<", "[" or "◁".
var allMarks = sync.OnceValue(func() []string {
	all := slices.Clone(templateTokens)
	for _, m := range knownMarks {
		all = append(all, m.open, m.close)
	}
	return all
})

type markMatch struct {
	marks []string // that begin like the text
	read  int      // bytes of the text
	size  int      // of the longest of these marks that is complete; 0: none is
}

// matchMark returns the length of the longest mark or token at the beginning of a text, 0 if
// none is found, and whether more text may make it longer.
func (s *reasoningSplitter) matchMark(rest []byte) (size int, more bool) {
	plain := rest[0] == 'a' && (s.open == plainAnalysis || s.open == "" && !s.begun)
	if !plain && strings.IndexByte("<[\xe2", rest[0]) < 0 {
		return 0, false
	}
	m := &s.match
	if m.read == 0 {
		m.marks = slices.Clone(allMarks())
	}
	for ; m.read < len(rest) && len(m.marks) > 0; m.read++ {
		m.marks = slices.DeleteFunc(m.marks, func(mark string) bool { return len(mark) <= m.read || mark[m.read] != rest[m.read] })
		if slices.ContainsFunc(m.marks, func(mark string) bool { return len(mark) == m.read+1 }) {
			m.size = m.read + 1
		}
		s.looked++
	}
	return m.size, slices.ContainsFunc(m.marks, func(mark string) bool { return len(mark) > m.read })
}

// opens reports whether a text that is one mark opens reasoning within the text, which depends
// on what follows.
func (s *reasoningSplitter) opens(mark []byte) bool {
	return s.begun && s.open == "" && s.quoting.begun &&
		slices.ContainsFunc(knownMarks, func(m reasoningMarks) bool { return m.open == string(mark) })
}

// readMark reads a mark or a token at the place. It returns false if that is an ordinary word.
func (s *reasoningSplitter) readMark(mark string) bool {
	quoted := s.inLine()
	for _, m := range knownMarks {
		switch {
		case m.open == mark && s.open == "":
			return s.readOpening(m, quoted)
		case m.close == mark && s.open == m.open, m.close == mark && s.open == "" && !m.paired:
			return s.readClosing(m, quoted)
		}
	}
	if !slices.Contains(templateTokens, mark) {
		return false
	}
	if s.tokens == nil {
		s.tokens = &place{start: s.at}
	}
	s.skip(len(mark))
	return true
}

func (s *reasoningSplitter) readOpening(m reasoningMarks, quoted bool) bool {
	if s.settle() {
		return true
	}
	after := s.held[s.at+len(m.open):]
	switch {
	case quoted || s.fence.mark != 0:
		return false
	case !s.begun && m.open != plainAnalysis:
		s.open, s.tokens = m.open, nil
		s.drop(s.at + len(m.open))
		s.quoting, s.match = quoting{}, markMatch{}
	case !s.begun || !s.quoting.begun || len(after) > 0 && !isBlank(after[0]):
		s.open, s.maybe, s.tokens = m.open, &place{start: s.at, end: s.at + len(m.open)}, nil
		s.skip(len(m.open))
	default:
		s.know(m)
		return false
	}
	s.know(m)
	return true
}

func (s *reasoningSplitter) readClosing(m reasoningMarks, quoted bool) bool {
	if s.settle() {
		return true
	}
	mark := place{start: s.at, end: s.at + len(m.close), counts: !s.quoting.begun && !quoted}
	switch alone := s.open == ""; {
	case alone && (quoted || s.known[m.open]):
		return false
	case s.fence.mark != 0:
		if s.fenced == nil && (!alone || mark.counts) {
			s.fenced = &mark
		}
		return false
	case alone:
		s.know(m)
		s.close = &mark
	case s.maybe != nil && !slices.ContainsFunc(s.held[s.maybe.end:s.at], isWord):
		s.open, s.maybe = "", nil
		return false
	case quoted, s.maybe != nil && s.quoting.begun && isBlank(s.held[s.at-1]):
		s.close = &mark
	default:
		s.endReasoning(mark)
		return true
	}
	s.skip(len(m.close))
	return true
}

func (s *reasoningSplitter) know(m reasoningMarks) {
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.known[m.open] = true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isWord(c byte) bool {
	return c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'A' <= c&^0x20 && c&^0x20 <= 'Z'
}

func (s *reasoningSplitter) skip(size int) {
	for end := s.at + size; s.at < end; {
		s.at += s.next(s.held[s.at:])
	}
	s.looked, s.match = s.looked+size, markMatch{}
}

func (s *reasoningSplitter) endReasoning(mark place) {
	switch {
	case s.maybe != nil:
		s.add(answerText, s.held[:s.maybe.start])
		s.add(reasoningText, s.held[s.maybe.end:mark.start])
	case s.open == "":
		s.out = append(s.out, spoken{kind: textWasReasoning})
		s.add(reasoningText, s.held[:mark.start])
	default:
		s.add(reasoningText, s.held[:mark.start])
	}
	s.drop(mark.end)
	s.open, s.begun, s.trim, s.quoting = "", false, true, quoting{}
	s.maybe, s.close, s.fenced, s.match = nil, nil, nil, markMatch{}
}

func (s *reasoningSplitter) release() {
	end := s.at
	for _, p := range []*place{s.maybe, s.close, s.fenced, s.tokens} {
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
	if s.open != "" && s.maybe == nil {
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
	for _, p := range []*place{s.maybe, s.close, s.fenced, s.tokens} {
		if p != nil {
			p.start, p.end = p.start-size, p.end-size
		}
	}
	if s.tokens != nil && s.tokens.start < 0 {
		s.tokens = nil
	}
}
