package app

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"roundtable/internal/config"
	"roundtable/internal/linear"
	"roundtable/internal/term"
	"roundtable/tui"
	"roundtable/tui/theme"
)

// Environ looks up variables of the environment.
type Environ func(name string) (value string, ok bool)

// folder returns the program's folder in one of the user's base folders, which a
// variable selects. Without it and HOME, base would be below the root of the file system.
func (e Environ) folder(base, variable string) (string, error) {
	home, _ := e("HOME")
	selected, _ := e(variable)
	if runtime.GOOS != "windows" && !filepath.IsAbs(home) && !filepath.IsAbs(selected) {
		return "", Usagef("neither HOME nor %s is set to a folder; set one of them", variable)
	}
	return filepath.Join(base, "roundtable"), nil
}

// Dumb reports whether the terminal cannot move its cursor.
func (e Environ) Dumb() bool {
	kind, _ := e("TERM")
	return runtime.GOOS != "windows" && (kind == "" || kind == "dumb")
}

func (e Environ) command(variables ...string) []string {
	for _, name := range variables {
		if value, ok := e(name); ok && strings.TrimSpace(value) != "" {
			return strings.Fields(value)
		}
	}
	return nil
}

// theme returns the look that is used before the terminal reports its own.
func (e Environ) theme(ui config.UI) theme.Options {
	return theme.Options{
		Dark:  ui.Theme != "light",
		ASCII: ui.Symbols == "ascii" || ui.Symbols == "auto" && !e.speaksUTF8(),
	}
}

func (e Environ) terminal() tui.Terminal {
	kind, _ := e("TERM")
	_, tmux := e("TMUX")
	return tui.Terminal{Tmux: tmux, Urxvt: strings.HasPrefix(kind, "rxvt") || strings.HasPrefix(kind, "foot")}
}

// speaksUTF8 reports whether the locale is UTF-8. Without a locale Windows and macOS are.
func (e Environ) speaksUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value, ok := e(name); ok && value != "" {
			folded := strings.ReplaceAll(strings.ToLower(value), "-", "")
			return strings.Contains(folded, "utf8")
		}
	}
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
}

// ReadsLines reports whether the user wants everything line by line: by the flag, the
// configuration, or a terminal that cannot move its cursor. Faults of the configuration
// are told by the commands that need it.
func (a *App) ReadsLines() bool {
	return a.WantsLines() || Environ(a.Env).Dumb()
}

// WantsLines reports whether the user has asked for lines, whatever the terminal can do.
func (a *App) WantsLines() bool {
	if a.Linear {
		return true
	}
	path, _, err := a.ConfigPath()
	if err != nil {
		return false
	}
	cfg, err := config.Load(path)
	return err == nil && cfg.UI.Linear
}

func fileOf(stream any) (*os.File, bool) {
	if plain, ok := stream.(*linear.Writer); ok {
		stream = plain.W
	}
	file, ok := stream.(*os.File)
	return file, ok
}

// Terminal returns the terminal of the process, or an error that names alternatives if
// it has no terminal.
func (a *App) Terminal() (term.TTY, error) {
	in, reads := a.Stdin.(*os.File)
	out, writes := fileOf(a.Stdout)
	if reads && writes {
		if t, ok := term.Open(in, out); ok {
			return t, nil
		}
	}
	return term.TTY{}, Usagef("the interface needs a terminal; use `roundtable run` instead, or --linear")
}

// IsTerminal reports whether a stream, filtered or not, is a terminal.
func IsTerminal(f any) bool {
	file, ok := fileOf(f)
	return ok && term.IsTerminal(file)
}

// Columns returns the width of the terminal that a stream, filtered or not, is; 0 if it is
// none.
func Columns(f any) int {
	file, ok := fileOf(f)
	if !ok {
		return 0
	}
	width, _ := term.Size(file)
	return width
}
