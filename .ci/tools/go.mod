module roundtable/ci/tools

go 1.26.0

tool (
	github.com/alecthomas/go-check-sumtype/cmd/go-check-sumtype
	github.com/kisielk/errcheck
	github.com/nishanths/exhaustive/cmd/exhaustive
	github.com/ryanrolds/sqlclosecheck
	golang.org/x/vuln/cmd/govulncheck
	honnef.co/go/tools/cmd/staticcheck
	mvdan.cc/gofumpt
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/alecthomas/go-check-sumtype v0.3.1 // indirect
	github.com/kisielk/errcheck v1.30.0 // indirect
	github.com/nishanths/exhaustive v0.17.1 // indirect
	github.com/ryanrolds/sqlclosecheck v0.6.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/telemetry v0.0.0-20261010193011-f71dc92da45e // indirect
	golang.org/x/tools v0.52.0 // indirect
	golang.org/x/vuln v1.9.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
	mvdan.cc/gofumpt v0.12.0 // indirect
)
