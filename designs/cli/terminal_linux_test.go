package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"etch/sim/cover"

	"github.com/stretchr/testify/require"
)

// newTerminal opens a pseudo-terminal. The function returns what was written to it so far.
func newTerminal(t *testing.T) (user *os.File, written func() string) {
	t.Helper()
	keeper, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { keeper.Close() })

	// Unlock the user's side, whose number names its file.
	var unlocked, number int32
	c, err := keeper.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, c.Control(func(fd uintptr) {
		syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCSPTLCK, uintptr(unsafe.Pointer(&unlocked)))
		syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGPTN, uintptr(unsafe.Pointer(&number)))
	}))
	user, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { user.Close() })

	// The terminal's buffer is small: it is emptied all the time, or writers would wait.
	var all locked
	go func() {
		buf := make([]byte, 1<<12)
		for {
			n, err := keeper.Read(buf)
			all.Write(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	return user, func() string {
		time.Sleep(20 * time.Millisecond) // for the reader
		all.Lock()
		defer all.Unlock()
		return all.Buffer.String()
	}
}

// TestColours: the caret of a design's error has a colour on a terminal, unless the user has said
// no.
func TestColours(t *testing.T) {
	app := App{Name: "demo", Designs: []Design{Component("wrong", "does not build", wrong{})}}
	for _, c := range []struct {
		noColour, term string
		colours        bool
	}{{"", "xterm", true}, {"1", "xterm", false}, {"0", "xterm", false}, {"", "dumb", false}} {
		t.Setenv("NO_COLOR", c.noColour)
		t.Setenv("TERM", c.term)
		user, written := newTerminal(t)
		require.True(t, Terminal(user))
		require.Equal(t, 1, app.Run([]string{"export", "wrong", "-o", t.TempDir()}, Output{user, user}))
		text := written()
		require.Contains(t, text, "^", "%v", c)
		if c.colours {
			require.Contains(t, text, boldGreen+"^"+plainAgain)
		} else {
			require.NotContains(t, text, "\x1b", "%v", c)
		}
	}
}

// TestProgressOfVerbs: on a terminal each verb that may take long has a line, cleared before its
// results; in a pipe it has none.
func TestProgressOfVerbs(t *testing.T) {
	before := progressAfter
	progressAfter = 50 * time.Microsecond
	t.Cleanup(func() { progressAfter = before })

	// A folder of counts that takes some time to read.
	counts := t.TempDir()
	c := &cover.Counts{Design: "led"}
	for i := range 20_000 {
		c.Lines = append(c.Lines, cover.Line{File: "x/led.go", Line: i + 1, Kind: cover.Set, Module: "led", Count: 1})
	}
	require.NoError(t, c.WriteFile(counts, "TestLed"))

	a := app()
	a.Commands = []Command{FuzzCommand}
	for line, want := range map[string]string{
		"sim counter -cycles 300000 -set en=1 -engine interpreter -print count":      `simulates counter: .*, \d+ of 300001 cycles`,
		"sim counter -p width=20 -set en=1 -until count=1000000 -engine interpreter": `simulates counter: `,
		"why counter count@20000 -set en=1":                                          `(simulates counter: .*, \d+ of \d+ cycles|explains count: )`,
		"prove uart -cycles 5":                                                       `proves the \d+ assertions of uart: .*, (step \d+ of 5, )?at most 1m0s`,
		"equiv grid grid -p n=4":                                                     `compares grid and grid: .*, at most 1m0s`,
		"cover " + counts:                                                            `adds up `,
		"fuzz -n 200 -size 20 -judges interp":                                        `compares circuits: `,
		"fuzz -judges interp,native,passes" + strings.Repeat(" ../../testbench/fuzz/testdata/fixedbugs/shift_of_memory_word.etch", 20): `judges .*, \d+ of 20 files`,
		"report grid -p n=24 -yosys=false":      `counts grid: `,
		"export grid -p n=24 -o " + t.TempDir(): `builds grid: `,
	} {
		user, written := newTerminal(t)
		require.Zero(t, a.Run(strings.Fields(line), Output{user, user}), "%s: %s", line, written())
		text := written()
		require.Regexp(t, want, text, line)
		require.NotRegexp(t, want+`[^\r]*\n`, strings.ReplaceAll(text, "\r\n", "\n"), "a line of progress stays: %s", line)

		var out, errs bytes.Buffer
		require.Zero(t, a.Run(strings.Fields(line), Output{&out, &errs}), "%s: %s", line, errs.String())
		require.NotContains(t, out.String()+errs.String(), "\x1b", line)
		require.NotContains(t, errs.String(), "\r", line)
	}
}
