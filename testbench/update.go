package testbench

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Many packages define a flag -update for their own golden files, and a second definition of a
// flag panics. So this package defines -etch.update, and rewrites -update on the command line of
// a test binary to it. Its Set, which runs after all packages are initialised, passes the value
// on to the test package's own -update if there is one.

// updateFlag is the value of -etch.update.
type updateFlag struct{ on bool }

var update updateFlag

func init() {
	if testing.Testing() {
		flag.Var(&update, "etch.update", "write golden waves instead of comparing them; -update for short")
		redirect(os.Args)
	}
}

// redirect rewrites every -update of a command line to -etch.update.
func redirect(args []string) {
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		name, value, given := strings.Cut(args[i], "=")
		if name != "-update" && name != "--update" {
			continue
		}
		if _, err := strconv.ParseBool(value); given && err != nil {
			continue // a flag of somebody else
		}
		args[i] = "-etch." + strings.TrimLeft(args[i], "-")
	}
}

// String is the value's text.
func (u *updateFlag) String() string { return strconv.FormatBool(u.on) }

// IsBoolFlag says that the flag needs no value.
func (u *updateFlag) IsBoolFlag() bool { return true }

// Set stores the value, for the test package's own -update too.
func (u *updateFlag) Set(s string) (err error) {
	if u.on, err = strconv.ParseBool(s); err == nil && flag.Lookup("update") != nil {
		err = flag.Set("update", s)
	}
	return err
}

// updating reports whether golden files are to be written. The test package's own flag counts
// too, however it was set.
func updating() bool {
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		return true
	}
	return update.on || os.Getenv("ETCH_UPDATE") == "1"
}
