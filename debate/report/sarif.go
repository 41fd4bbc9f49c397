package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// Formats for the findings of a review alone.
const (
	SARIF   Format = "sarif" // version 2.1.0, for code scanning
	Comment Format = "pr"    // Markdown for a comment on a pull request
)

// ErrNoReview is returned for the formats of findings if the session has none.
var ErrNoReview = errors.New("it has no findings: only the verdict of a review has them")

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifRoot   = "%SRCROOT%" // the name that SARIF viewers know for the root of the sources
	sarifRule   = "review-finding"
)

type object map[string]any

// writeSARIF writes the findings that were not refuted: GitHub opens alerts for suppressed ones, too.
func (r Report) writeSARIF(w io.Writer) error {
	if r.Verdict == nil || r.Conclusion.Review == nil {
		return ErrNoReview
	}
	c := r.Conclusion
	notes, results := []object{}, []object{}
	for _, caution := range c.Cautions {
		notes = append(notes, object{"level": "warning", "message": sarifText(caution)})
	}
	results = append(results, text.Each(c.Review.Findings, r.sarifResult)...)
	driver := object{"name": "Roundtable", "version": r.version, "rules": []object{{
		"id": sarifRule, "shortDescription": sarifText("A defect that a panel of models reported"),
		"fullDescription": sarifText("Several models reviewed the change, each by itself, and then judged what the others had reported."),
	}}}
	return writeJSON(w, object{"$schema": sarifSchema, "version": "2.1.0", "runs": []object{{
		"tool": object{"driver": driver}, "results": results,
		"invocations": []object{{"executionSuccessful": r.State.Whole, "toolExecutionNotifications": notes}},
		"properties":  object{"headline": c.Line.String(), "debate": r.ID},
	}}})
}

func (r Report) sarifResult(f ReviewFinding) object {
	levels := map[debate.Severity]string{debate.SeverityHigh: "error", debate.SeverityMedium: "warning", debate.SeverityLow: "note"}
	words := strings.TrimSpace(strings.TrimSuffix(text.Line(f.Title), ".") + ". " + strings.TrimSpace(f.Why)) // names keep their case
	if f.Fix != "" {
		words += "\n\nFix: " + strings.TrimSpace(f.Fix)
	}
	words += "\n\n" + text.Capitalize(f.State) + ". " + strings.Join(f.Facts, " ")
	first, all, named := "", []object{}, []string{}
	for _, p := range f.Places {
		named = append(named, p.String())
		if file, line, end := r.lines(p); file != "" && !p.Absent {
			first, all = cmp.Or(first, file), append(all, sarifLines(file, line, end))
			if p.Old {
				words += " " + p.String() + " was removed."
			}
		}
	}
	if len(all) == 0 { // GitHub refuses a whole file for one result without a place
		first = r.fileOf(f)
		all = append(all, sarifLines(first, 0, 0))
		words += " " + text.Join(": ", "Its lines are not known", text.List(named)) + "."
	}
	return object{
		"ruleId": sarifRule, "level": levels[f.Severity], "message": sarifText(words),
		"locations": all[:1], "relatedLocations": all[1:],
		"partialFingerprints": object{"roundtableFinding/v1": fingerprint(f, pathURI(first))},
		"properties":          object{"finding": f.ID, "state": f.State, "severity": f.Severity},
	}
}

// sarifText returns a message without links, which SARIF writes as Markdown does.
func sarifText(s string) object { return object{"text": strings.ReplaceAll(s, "](", "] (")} }

func pathURI(file string) string { return (&url.URL{Path: file}).String() }

func sarifLines(file string, line, end int) object {
	place := object{"artifactLocation": object{"uri": pathURI(file), "uriBaseId": sarifRoot}}
	if line > 0 {
		place["region"] = object{"startLine": line, "endLine": max(line, end)}
	}
	return object{"physicalLocation": place}
}

// lines returns the lines of a place as they are after the change: for removed lines the next one that was
// kept, else the one before them, 0 without any. Without a file the place is of nothing that is known.
func (r Report) lines(p debate.CodePlace) (file string, line, end int) {
	if p.File == "" || !p.Old {
		return p.File, p.Line, p.End
	}
	file = p.File
	for _, e := range r.Evidence {
		if e.ID != p.Cited.ID || e.Kind != debate.EvidenceDiff {
			continue
		}
		lines := debate.ParseDiff(e.Content)
		if p.Cited.From < 1 || p.Cited.To > len(lines) {
			continue
		}
		file = lines[p.Cited.To-1].File
		for i, l := range lines {
			if l.Section == lines[p.Cited.To-1].Section && (l.Op == debate.DiffContext || l.Op == debate.DiffAdded) {
				if line = l.Line; i >= p.Cited.To {
					break
				}
			}
		}
	}
	return file, line, line
}

// fileOf returns the file of a finding whose lines are not known: one that it names, else the first that was reviewed.
func (r Report) fileOf(f ReviewFinding) string {
	var files, all []string
	for _, e := range r.Evidence {
		if e.Kind != debate.EvidenceDiff {
			files = append(files, e.Name)
		}
		for _, l := range debate.ParseDiff(e.Content) {
			if all = append(all, l.File); l.Line > 0 { // one that is left out has no lines
				files = append(files, l.File)
			}
		}
	}
	files = slices.DeleteFunc(append(files, all...), func(file string) bool { return file == "" })
	for _, p := range f.Places {
		if slices.Contains(files, p.File) {
			return p.File
		}
	}
	return append(files, ".")[0]
}

// fingerprint tells a finding from others in another review: by file, title and lines without numbers.
func fingerprint(f ReviewFinding, file string) string {
	parts := []string{file, text.Fold(text.Line(f.Title))}
	for _, p := range f.Places {
		for line := range strings.SplitSeq(p.Text, "\n") {
			parts = append(parts, strings.TrimSpace(line))
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
}
