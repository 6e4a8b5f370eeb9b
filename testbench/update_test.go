package testbench

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// own is a flag as test packages define it for their own golden files: it must
// not clash with what this package does.
var own = flag.Bool("update", false, "a test package's own flag")

func TestUpdateFlag(t *testing.T) {
	if os.Getenv("ETCH_UPDATE_CHILD") == "1" {
		fmt.Println("seen:", update.on, *own, updating())
		return
	}
	for args, want := range map[string]string{
		"":              "seen: false false false",
		"-update":       "seen: true true true",
		"--update=true": "seen: true true true",
		"-update=false": "seen: false false false",
		"-etch.update":  "seen: true true true",
		"-- -update":    "seen: false false false",
	} {
		cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestUpdateFlag$"}, strings.Fields(args)...)...)
		cmd.Env = append(os.Environ(), "ETCH_UPDATE_CHILD=1", "ETCH_UPDATE=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), want, args)
	}
}

func TestRedirect(t *testing.T) {
	for in, want := range map[string]string{
		"x -test.v -update":            "x -test.v -etch.update",
		"x --update=false":             "x -etch.update=false",
		"x -update=all":                "x -update=all",
		"x -updates -test.run=-update": "x -updates -test.run=-update",
		"x -- -update":                 "x -- -update",
	} {
		args := strings.Fields(in)
		redirect(args)
		require.Equal(t, want, strings.Join(args, " "))
	}
}
