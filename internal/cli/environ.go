package cli

import (
	"path/filepath"
	"runtime"
	"strings"

	"roundtable/internal/config"
	"roundtable/tui"
	"roundtable/tui/theme"
)

// environ looks up variables of the environment.
type environ func(name string) (value string, ok bool)

// folder returns the program's folder in one of the user's base folders, which a
// variable selects. Without it and HOME, base would be below the root of the file system.
func (e environ) folder(base, variable string) (string, error) {
	home, _ := e("HOME")
	selected, _ := e(variable)
	if runtime.GOOS != "windows" && !filepath.IsAbs(home) && !filepath.IsAbs(selected) {
		return "", usagef("neither HOME nor %s is set to a folder; set one of them", variable)
	}
	return filepath.Join(base, "roundtable"), nil
}

// dumb reports whether the terminal cannot move its cursor.
func (e environ) dumb() bool {
	kind, _ := e("TERM")
	return runtime.GOOS != "windows" && (kind == "" || kind == "dumb")
}

// command returns the command line of the first variable that is set.
func (e environ) command(variables ...string) []string {
	for _, name := range variables {
		if value, ok := e(name); ok && strings.TrimSpace(value) != "" {
			return strings.Fields(value)
		}
	}
	return nil
}

// theme returns the look that is used before the terminal reports its own.
func (e environ) theme(ui config.UI) theme.Options {
	return theme.Options{
		Dark: ui.Theme != "light", HighContrast: ui.Theme == "high-contrast", Colors: (*theme.Colors)(ui.Colors),
		ASCII: ui.Symbols == "ascii" || ui.Symbols == "auto" && !e.speaksUTF8(),
	}
}

// terminal returns what the environment says of the terminal.
func (e environ) terminal() tui.Terminal {
	kind, _ := e("TERM")
	program, _ := e("TERM_PROGRAM")
	_, tmux := e("TMUX")
	_, windows := e("WT_SESSION")
	return tui.Terminal{
		Tmux: tmux, Screen: !tmux && strings.HasPrefix(kind, "screen"),
		Urxvt:    strings.HasPrefix(kind, "rxvt") || strings.HasPrefix(kind, "foot"),
		Progress: windows || program == "ghostty" || program == "WezTerm",
	}
}

// speaksUTF8 reports whether the locale is UTF-8. Without a locale Windows and macOS are.
func (e environ) speaksUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value, ok := e(name); ok && value != "" {
			folded := strings.ReplaceAll(strings.ToLower(value), "-", "")
			return strings.Contains(folded, "utf8")
		}
	}
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
}
