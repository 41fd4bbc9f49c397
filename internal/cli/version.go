package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: argCount(0, 0, ""),
		Long: "Print the version, the commit that the program was built from, and how it was built.",
		RunE: func(*cobra.Command, []string) error { return a.print("%s", versionText(debug.ReadBuildInfo())) },
	}
}

// version returns the version of the module that this program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return cmp.Or(info.Main.Version, "(devel)")
}

// versionText says in two lines what the program was built from.
func versionText(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return "roundtable unknown\n"
	}
	built := []string{info.GoVersion, runtime.GOOS + "/" + runtime.GOARCH}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		source := "commit " + commit
		if at := settings["vcs.time"]; at != "" {
			source += " of " + at
		}
		if settings["vcs.modified"] == "true" {
			source += ", with changes that are not committed"
		}
		built = append([]string{source}, built...)
	}
	return fmt.Sprintf("roundtable %s\n%s\n", cmp.Or(info.Main.Version, "(devel)"), strings.Join(built, ", "))
}
