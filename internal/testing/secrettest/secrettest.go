// Package secrettest has the forms in which secrets are written, for the tests of all that
// masks them. It imports nothing of this module.
package secrettest

import "slices"

// Form is a text with a secret.
type Form struct{ Text, Secret string }

// Forms returns texts with invented secrets, one for each form.
func Forms() []Form { return slices.Concat(named(), written(), issued()) }

func named() []Form {
	return []Form{
		{"SECRET=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"GITHUB_TOKEN=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"DB_PASSWORD=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"DB_PASSWD=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"DB_PASS=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"API_KEY=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"apiKey=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"api-key=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"ApiKey=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"APIKEY=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"aws.secret.access.key=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"AWS_SECRET_ACCESS_KEY=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"private_key=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"accountKey=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"signing-key=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"encryptionKey=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"KEY_API=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"credential=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"clientCredentials=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"connectionString=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"CONN_STRING=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"accessKey=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"secretKey=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"passphrase=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"clientSecret=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
	}
}

func written() []Form {
	return []Form{
		{"password: Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"password: \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"password: 'Tr0ub4dor3xZ'", "Tr0ub4dor3xZ"},
		{"  api_key: Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"\"password\": \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"{\"api_key\":\"Tr0ub4dor3xZ\",\"a\":1}", "Tr0ub4dor3xZ"},
		{"{\\\"token\\\": \\\"Tr0ub4dor3xZ\\\"}", "Tr0ub4dor3xZ"},
		{"password = \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"password = Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"Password=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"export TOKEN=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"export TOKEN='Tr0ub4dor3xZ'", "Tr0ub4dor3xZ"},
		{"apiKey := \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"const apiKey = \"Tr0ub4dor3xZ\";", "Tr0ub4dor3xZ"},
		{"api_key = 'Tr0ub4dor3xZ'", "Tr0ub4dor3xZ"},
		{"self.password = \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"config[\"password\"] = \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"config['api_key'] = 'Tr0ub4dor3xZ'", "Tr0ub4dor3xZ"},
		{"run --token=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"run --token Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"run --api-key \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"X-Api-Key: Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"Authorization: Bearer Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"Authorization: Basic Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
		{"Server=db;User Id=sa;Password=Tr0ub4dor3xZ;Database=x", "Tr0ub4dor3xZ"},
		{"AccountName=a;AccountKey=Tr0ub4dor3xZ==;X=y", "Tr0ub4dor3xZ"},
		{"<password>Tr0ub4dor3xZ</password>", "Tr0ub4dor3xZ"},
		{"<add key=\"Password\" value=\"Tr0ub4dor3xZ\"/>", "Tr0ub4dor3xZ"},
		{"<apiKey>Tr0ub4dor3xZ</apiKey>", "Tr0ub4dor3xZ"},
		{":token => \"Tr0ub4dor3xZ\"", "Tr0ub4dor3xZ"},
		{"-Dapp.password=Tr0ub4dor3xZ", "Tr0ub4dor3xZ"},
	}
}

func issued() []Form {
	return []Form{
		{"It is AKIAIOSFODNN7EXAMPL3 here.", "AKIAIOSFODNN7EXAMPL3"},
		{"It is ghp_abcdef0123456789abcdef0123456789 here.", "ghp_abcdef0123456789abcdef0123456789"},
		{"It is github_pat_abcdef0123456789abcdef0123456789 here.", "github_pat_abcdef0123456789abcdef0123456789"},
		{"It is glpat-abcdef0123456789wxyz here.", "glpat-abcdef0123456789wxyz"},
		{"It is xoxb-abcdef0123456789 here.", "xoxb-abcdef0123456789"},
		{"It is sk_live_abcdef0123456789 here.", "sk_live_abcdef0123456789"},
		{"It is rk_live_abcdef0123456789 here.", "rk_live_abcdef0123456789"},
		{"It is SG.abcdef0123456789.abcdef0123456789 here.", "SG.abcdef0123456789.abcdef0123456789"},
		{"It is npm_abcdef0123456789abcdef0123456789 here.", "npm_abcdef0123456789abcdef0123456789"},
		{"It is hf_abcdef0123456789abcdef0123456789 here.", "hf_abcdef0123456789abcdef0123456789"},
		{"It is shpat_abcdef0123456789abcdef0123456789 here.", "shpat_abcdef0123456789abcdef0123456789"},
		{"It is glsa_abcdef0123456789abcdef0123456789 here.", "glsa_abcdef0123456789abcdef0123456789"},
		{
			"It is dop_v1_abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789 here.",
			"dop_v1_abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789",
		},
		{"It is dapiabcdef0123456789abcdef0123456789 here.", "dapiabcdef0123456789abcdef0123456789"},
		{"It is AIzaabcdef0123456789abcdef0123456789 here.", "AIzaabcdef0123456789abcdef0123456789"},
		{"It is ya29.abcdef0123456789 here.", "ya29.abcdef0123456789"},
		{"It is sk-proj-abcdef0123456789abcdef0123456789 here.", "sk-proj-abcdef0123456789abcdef0123456789"},
		{"It is sk-ant-api03-abcdef0123456789abcdef0123456789 here.", "sk-ant-api03-abcdef0123456789abcdef0123456789"},
		{"postgres://me:Tr0ub4dor3xZ@db.example/x", "Tr0ub4dor3xZ"},
		{"redis://:Tr0ub4dor3xZ@cache", "Tr0ub4dor3xZ"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.c2lnbmF0dXJl", "eyJzdWIiOiIxIn0abc"},
		{"-----BEGIN PRIVATE KEY-----\nMIIBVgIBADANBg\n-----END PRIVATE KEY-----", "MIIBVgIBADANBg"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIBVgIBADANBg\n-----END RSA PRIVATE KEY-----", "MIIBVgIBADANBg"},
		{"-----BEGIN PGP PRIVATE KEY BLOCK-----\nMIIBVgIBADANBg\n-----END PGP PRIVATE KEY BLOCK-----", "MIIBVgIBADANBg"},
	}
}
