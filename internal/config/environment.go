package config

import "os"

// KeyVariables names the environment variables that may hold keys.
func KeyVariables(cfg Config) []string {
	var names []string
	for _, p := range known(ClientOptions{}) {
		names = append(names, p.keyVariable())
	}
	tables := cfg.tables()
	for _, name := range cfg.tableNames() {
		names = append(names, tables[name].keyVariable())
	}
	return names
}

// Withhold removes variables from the process's environment, so that programs
// started from here, such as an editor, never see keys. The function it returns
// still finds them.
func Withhold(env func(string) (string, bool), names []string) func(string) (string, bool) {
	withheld := map[string]string{}
	for _, name := range names {
		if value, ok := env(name); ok && name != "" && os.Unsetenv(name) == nil {
			withheld[name] = value
		}
	}
	return func(name string) (string, bool) {
		if value, ok := withheld[name]; ok {
			return value, true
		}
		return env(name)
	}
}
