// Package headless plays debates without a screen and reports them, as text for
// people or as JSON lines for programs.
//
// It imports the engine that plays, the report that words figures and verdicts, and
// the values of package debate. It must not know commands, flags, exit codes, the
// configuration or where sessions are stored.
package headless
