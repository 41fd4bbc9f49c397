package evidence

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"

	"roundtable/internal/text"
)

// Limits of a PDF.
const (
	maxPDF  = 50 << 20 // bytes
	pdfTime = 30 * time.Second
)

func isPDF(head []byte) bool { return bytes.HasPrefix(head, []byte("%PDF-")) }

func maxSize(head []byte) int {
	if isPDF(head) {
		return maxPDF
	}
	return MaxFile
}

// converted returns the text of a document whose format is not one of text, and a clause
// about how it was made; "" if it is left as it is.
func converted(ctx context.Context, name string, raw []byte) (content []byte, how string, err error) {
	switch {
	case isPDF(raw):
		return pdfText(ctx, name, raw)
	case bytes.HasPrefix(raw, []byte(`{\rtf`)):
		return nil, "", &Refusal{Name: name, Reason: "is RTF, which mixes its text with marks", Advice: "Save it as plain text first."}
	case strings.EqualFold(path.Ext(name), ".ipynb"):
		if content := notebookText(raw); content != nil {
			return content, "the cells of a notebook, without its images", nil
		}
	}
	return raw, "", nil
}

// pdfText returns the text of a PDF by pdftotext, with a line before each page.
func pdfText(ctx context.Context, name string, raw []byte) (content []byte, how string, err error) {
	const otherFile = "Name a file that holds its text."
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		return nil, "", &Refusal{
			Name: name, Reason: "is a PDF, and pdftotext is not installed",
			Advice: "Install the package poppler-utils (Homebrew: poppler). " + otherFile, Err: err,
		}
	}
	limited, cancel := context.WithTimeout(ctx, pdfTime)
	defer cancel()
	cmd := exec.CommandContext(limited, program, "-q", "-layout", "-enc", "UTF-8", "-", "-")
	cmd.WaitDelay = time.Second
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	out, said := &capped{max: MaxFile, stop: cancel}, &capped{max: 1 << 10, stop: cancel}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(raw), out, said
	err = cmd.Run()
	switch {
	case out.exceeded:
		return nil, "", tooLarge(name, MaxFile)
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case limited.Err() != nil:
		return nil, "", &Refusal{name, fmt.Sprintf("is a PDF that pdftotext did not read within %s", pdfTime), otherFile, limited.Err()}
	case err != nil:
		why := cmp.Or(text.Line(string(said.printed)), text.Line(err.Error()))
		return nil, "", &Refusal{name, "is a PDF that pdftotext cannot read: " + text.Clip(why, maxName), otherFile, err}
	case len(bytes.TrimSpace(out.printed)) == 0:
		const advice = "Have its text recognised first, for instance with ocrmypdf."
		return nil, "", &Refusal{Name: name, Reason: "is a scan: no text in it", Advice: advice}
	}
	pages := strings.Split(strings.TrimSuffix(string(out.printed), "\f"), "\f")
	var b strings.Builder
	for i, page := range pages {
		fmt.Fprintf(&b, "— page %d —\n%s\n", i+1, strings.TrimRight(page, " \n"))
	}
	return []byte(b.String()), fmt.Sprintf("the text of a PDF of %s, by pdftotext", text.Count(len(pages), "page")), nil
}

type capped struct {
	printed  []byte
	max      int
	stop     func() // ends a program that prints more
	exceeded bool
}

// Write implements io.Writer.
func (c *capped) Write(p []byte) (int, error) {
	if c.exceeded = c.exceeded || len(c.printed)+len(p) > c.max; c.exceeded {
		c.stop()
		return 0, errors.New("it prints too much")
	}
	c.printed = append(c.printed, p...)
	return len(p), nil
}

type notebook struct {
	Cells []notebookCell `json:"cells"`
}

type notebookCell struct {
	Kind    string    `json:"cell_type"`
	Source  multiline `json:"source"`
	Outputs []struct {
		Text  multiline                  `json:"text"` // of a stream
		Data  map[string]json.RawMessage `json:"data"`
		Name  string                     `json:"ename"` // of an error
		Value string                     `json:"evalue"`
	} `json:"outputs"`
}

// multiline is a text, or a list of its lines with their ends.
type multiline string

// UnmarshalJSON takes both forms; anything else is no text.
func (m *multiline) UnmarshalJSON(raw []byte) error {
	var lines []string
	var whole string
	if json.Unmarshal(raw, &lines) == nil {
		whole = strings.Join(lines, "")
	} else if json.Unmarshal(raw, &whole) != nil {
		whole = ""
	}
	*m = multiline(whole)
	return nil
}

// notebookText returns the cells of a notebook with the text that they printed, each after a
// line that names it; nil if it holds none.
func notebookText(raw []byte) []byte {
	var n notebook
	if json.Unmarshal(raw, &n) != nil {
		return nil
	}
	var b strings.Builder
	part := func(head string, content multiline) {
		fmt.Fprintf(&b, "— %s —\n", head)
		if body := strings.TrimRight(string(content), "\n"); body != "" {
			b.WriteString(body + "\n")
		}
	}
	for i, c := range n.Cells {
		part(fmt.Sprintf("cell %d, %s", i+1, cmp.Or(text.Label(c.Kind), "code")), c.Source)
		for _, o := range c.Outputs {
			var plain multiline
			_ = plain.UnmarshalJSON(o.Data["text/plain"]) // there may be an image alone
			if o.Name != "" {
				plain = multiline(o.Name + ": " + o.Value)
			}
			part(fmt.Sprintf("output of cell %d", i+1), cmp.Or(o.Text, plain))
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return []byte(b.String())
}
