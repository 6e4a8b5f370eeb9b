package testbench

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The flag -update is a habit of many packages: a test package may well define
// it for its own golden files, and two definitions are a panic. So this package
// defines -etch.update, and reads -update on a test binary's command line as
// that; its Set, which runs when all packages are initialised, passes it on to
// an -update that the test package has.

// updateFlag is the value of -etch.update.
type updateFlag struct{ on bool }

var update updateFlag

func init() {
	if testing.Testing() {
		flag.Var(&update, "etch.update", "write golden waves instead of comparing them; -update for short")
		redirect(os.Args)
	}
}

// redirect makes every -update of a command line -etch.update.
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

// Set takes the value, for the test package's own -update too.
func (u *updateFlag) Set(s string) (err error) {
	if u.on, err = strconv.ParseBool(s); err == nil && flag.Lookup("update") != nil {
		err = flag.Set("update", s)
	}
	return err
}

// updating tells whether golden files are to be written. A test package's own
// flag counts also where it is set in another way.
func updating() bool {
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		return true
	}
	return update.on || os.Getenv("ETCH_UPDATE") == "1"
}
