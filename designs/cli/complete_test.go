package cli

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The last word of a line is completed by its place: commands, designs, flags, parameters.
func TestComplete(t *testing.T) {
	for line, want := range map[string]string{
		"ex":                               "export explore",
		"export ":                          "counter uart mac grid",
		"export u":                         "uart",
		"export uart -":                    "-O -clock -flatten -lutram -memfiles -o -p -positions -split -src -strict -zero",
		"export uart -p ":                  "clocks_per_bit=",
		"export uart -p clocks_per_bit=":   "",
		"report mac -p round=half-":        "round=half-up round=half-down round=half-even round=half-away",
		"export uart -o ":                  "", // a folder: the shell's
		"export uart -strict ":             "",
		"equiv ":                           "counter uart mac grid",
		"completion ":                      "bash fish zsh",
		"sim uart -engine ":                "auto native interpreter lockstep",
		"sim uart -engine n":               "native",
		"sim uart -engine=l":               "-engine=lockstep",
		"sim uart -set ":                   "rst= bytes_valid= bytes_data=",
		"sim uart -set bytes_v":            "bytes_valid=",
		"sim uart -set bytes_valid=":       "bytes_valid=0 bytes_valid=1",
		"sim uart -set bytes_data=":        "",
		"why grid -p n=1 -set in_":         "",
		"prove counter -p width=3 -set e":  "en=",
		"equiv counter uart -set ":         "rst= en= bytes_valid= bytes_data=",
		"sim counter -p width=0 -set ":     "", // it does not build
		"sim nothing -set ":                "",
		"explore uart -sweep ":             "clocks_per_bit=",
		"explore mac -sweep r":             "round=",
		"explore mac -sweep round=half-u":  "round=half-up",
		"explore mac -sweep round=floor,c": "round=floor,ceil",
		"help ver":                         "version",
		"nothing ":                         "",
		"export uart -p clocks_per_bit=4":  "",
	} {
		words := strings.Split(line, " ")
		code, out, errs := run(t, append([]string{"__complete"}, words...)...)
		require.Zero(t, code, line)
		require.Empty(t, errs, line)
		require.Equal(t, want, strings.Join(strings.Fields(out), " "), line)
	}
	require.Equal(t, Values{"a": "1", "b": "2"}, parametersIn([]string{"x", "-p", "a=1", "-p=b=2", "c=3"}))
	_, out, _ := run(t, "help")
	require.NotContains(t, out, "__complete")
}

// The scripts are accepted by their shells, where these are installed.
func TestCompletionScripts(t *testing.T) {
	for shell := range scripts {
		code, out, _ := run(t, "completion", shell)
		require.Zero(t, code)
		require.Contains(t, out, "__complete")
		require.NotContains(t, out, "NAME")
		if path, err := exec.LookPath(shell); err == nil {
			c := exec.Command(path, "-n")
			c.Stdin = strings.NewReader(out)
			said, err := c.CombinedOutput()
			require.NoError(t, err, "%s: %s", shell, said)
		}
	}
	code, _, errs := run(t, "completion", "csh")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "no shell csh")
}

// Bash puts the completed word into the line.
func TestCompleteInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	_, script, _ := run(t, "completion", "bash")
	script += `
demo() { [[ "$1" == __complete && "${*: -1}" == pe.s* ]] && echo pe.sum=; [[ "${*: -1}" == exp* ]] && printf 'export\nexplore\n'; [[ "${*: -1}" == -engine=n ]] && echo -engine=native; }
COMP_LINE="demo export grid -p pe.s" COMP_POINT=24; _demo 2>/dev/null; echo "${COMPREPLY[@]}"
COMP_LINE="demo exp" COMP_POINT=8; _demo; echo "${COMPREPLY[@]}"
COMP_LINE="demo sim -engine=n" COMP_POINT=18; _demo; echo "${COMPREPLY[@]}"
`
	c := exec.Command(bash)
	c.Stdin = strings.NewReader(script)
	out, err := c.Output()
	require.NoError(t, err)
	require.Equal(t, "pe.sum=\nexport explore\nnative\n", string(out))
}
