package secret_test

import "roundtable/internal/testing/secrettest"

// forms returns all forms in which secrets are written.
func forms() []secrettest.Form {
	return append(append(append(secrettest.Forms(), marked()...), commanded()...), issued()...)
}

func form(text, hidden string) secrettest.Form { return secrettest.Form{Text: text, Secret: hidden} }

// marked are the forms of Markdown and of headers.
func marked() []secrettest.Form {
	var all []secrettest.Form
	for _, text := range []string{
		"**password**: Tr0ub4dor3xZ", "- **Password:** Tr0ub4dor3xZ", "* **API Key** = `Tr0ub4dor3xZ`", "__api key__: Tr0ub4dor3xZ",
		"The *client secret*: `Tr0ub4dor3xZ`", "`password`: `Tr0ub4dor3xZ`", "`password: Tr0ub4dor3xZ`", "api key = \"Tr0ub4dor3xZ\"",
		"The password is `Tr0ub4dor3xZ`.", "Your access token is Tr0ub4dor3xZ.", "the password was \"Tr0ub4dor3xZ\", so",
		"| password | Tr0ub4dor3xZ |", "| user | password |\n|---|---|\n| bob | Tr0ub4dor3xZ |", "| user | **API key** | role |\n|:--|:--|--|\n| bob | `Tr0ub4dor3xZ` | admin |",
		"> password: Tr0ub4dor3xZ", "1. Password: Tr0ub4dor3xZ", "Secret access key: Tr0ub4dor3xZ", "password => Tr0ub4dor3xZ",
		"Authorization: Tr0ub4dor3xZ", "Authorization: Token Tr0ub4dor3xZ", "authorization: ApiKey Tr0ub4dor3xZ", "Proxy-Authorization: Digest Tr0ub4dor3xZ",
		"\"Authorization\": \"Tr0ub4dor3xZ\"", "X-Auth-Token: Tr0ub4dor3xZ", "Ocp-Apim-Subscription-Key: Tr0ub4dor3xZ", "PRIVATE-TOKEN: Tr0ub4dor3xZ",
		"Cookie: theme=dark; sid=Tr0ub4dor3xZ", "Set-Cookie: sid=Tr0ub4dor3xZ; Path=/; HttpOnly", "cookie: 'sid=Tr0ub4dor3xZ'",
	} {
		all = append(all, form(text, "Tr0ub4dor3xZ"))
	}
	return all
}

// commanded are the forms of command lines.
func commanded() []secrettest.Form {
	var all []secrettest.Form
	for _, text := range []string{
		"curl -u admin:Tr0ub4dor3xZ https://x.example", "curl -s -U 'me:Tr0ub4dor3xZ' -x proxy:80 https://x.example", "curl -H 'X-Api-Key: Tr0ub4dor3xZ' x",
		"curl -H \"Authorization: Token Tr0ub4dor3xZ\" x", "curl --header 'X-Auth-Token: Tr0ub4dor3xZ' x", "curl -b 'sid=1' -H 'Cookie: sid=Tr0ub4dor3xZ' x",
		"http -a me:Tr0ub4dor3xZ :8080", "$ mysql -u root -pTr0ub4dor3xZ shop", "sshpass -p Tr0ub4dor3xZ ssh me@host", "sshpass -p 'Tr0ub4dor3xZ' ssh me@host",
		"docker login -u me -p Tr0ub4dor3xZ registry.example", "wget --http-password=Tr0ub4dor3xZ x", "tool --password Tr0ub4dor3xZ", "tool --db-password \"Tr0ub4dor3xZ\"",
		"redis-cli -a Tr0ub4dor3xZ ping", "sqlcmd -S db -U sa -P Tr0ub4dor3xZ", "PGPASSWORD=Tr0ub4dor3xZ psql", "openssl enc -pass pass:Tr0ub4dor3xZ",
		"7z a -pTr0ub4dor3xZ x.7z", "ldapsearch -D cn=me -w Tr0ub4dor3xZ", "cat x | mongosh -u me -p Tr0ub4dor3xZ", "mysqldump -pTr0ub4dor3xZ",
	} {
		all = append(all, form(text, "Tr0ub4dor3xZ"))
	}
	return append(all, form("curl -u bob:correcthorse https://x.example", "correcthorse"), form("sshpass -p correcthorse ssh x", "correcthorse"))
}

// issued are keys of more issuers.
func issued() []secrettest.Form {
	const body = "abcdef0123456789abcdef0123456789"
	var all []secrettest.Form
	for _, begin := range []string{
		"pypi-AgEI", "hvs.CAES", "hvb.", "dckr_pat_", "dckr_oat_", "lin_api_", "ntn_", "figd_", "PMAK-", "NRAK-", "sntrys_", "dp.pt.", "dp.st.prd.",
		"pscale_tkn_", "pul-", "sbp_", "sb_secret_", "sq0atp-", "ATATT3xFfGF0", "rubygems_", "HRKU-", "tvly-", "fc-", "nfp_", "xkeysib-", "dt0c01.A1.",
		"whsec_", "xoxe.xoxp-1-", "glptt-", "AGE-SECRET-KEY-1",
	} {
		all = append(all, form("It is "+begin+body+" here.", begin+body))
	}
	for _, address := range []string{
		"https://hooks.slack.com/services/", "https://hooks.slack.com/triggers/", "https://discord.com/api/webhooks/",
	} {
		all = append(all, form("Post to "+address+"T0AAAA1/B0BBBB2/"+body+" then.", body))
	}
	return append(all, form("https://api.telegram.org/bot1234567890:AAabcdef0123456789abcdef/getMe", "AAabcdef0123456789abcdef"))
}
