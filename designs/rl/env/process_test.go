package env

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be an environment: each answer is a line of the variable
// ETCH_TEST_ENV; the words die, stall and close do that.
func TestMain(m *testing.M) {
	script, is := os.LookupEnv("ETCH_TEST_ENV")
	if !is {
		os.Exit(m.Run())
	}
	in := bufio.NewScanner(os.Stdin)
	for _, answer := range strings.Split(script, "\n") {
		if !in.Scan() {
			return
		}
		switch answer {
		case "die":
			fmt.Fprintln(os.Stderr, "first words\nValueError: no such pole")
			os.Exit(3)
		case "stall":
			time.Sleep(time.Minute)
		case "child":
			// A child that holds nothing of its parent's but lives on.
			c := exec.Command("sleep", "60")
			c.Start()
			os.WriteFile(os.Getenv("ETCH_TEST_PID"), []byte(strconv.Itoa(c.Process.Pid)), 0o666)
			time.Sleep(time.Minute)
		case "close":
			os.Stdout.Close()
			time.Sleep(time.Minute)
		case "long":
			fmt.Println(strings.Repeat("1", maxLine+10))
		default:
			fmt.Println(answer)
		}
	}
	in.Scan()
}

const (
	hello = `{"observation":2,"actions":3}`
	reset = `{"obs":[0,0.5]}`
	step  = `{"obs":[1,2],"reward":-1,"terminated":false,"truncated":false,"info":{}}`
)

// open starts the test binary with answers.
func open(t *testing.T, answers ...string) (Environment, error) {
	t.Setenv("ETCH_TEST_ENV", strings.Join(answers, "\n"))
	e, err := Open(`"`+os.Args[0]+`" x`, Limits{Answer: 500 * time.Millisecond, Episode: 3})
	if err == nil {
		t.Cleanup(func() { e.Close() })
	}
	return e, err
}

// TestProcess: a process that keeps the protocol is an environment; episodes end at the
// limit.
func TestProcess(t *testing.T) {
	e, err := open(t, hello, reset, step, step, step, reset, `{"obs":[1,2],"reward":2e3,"terminated":true,"truncated":true}`)
	require.NoError(t, err)
	require.Equal(t, 2, e.Spec().Observation)
	require.Equal(t, 3, e.Spec().Actions)
	obs, err := e.Reset(5)
	require.NoError(t, err)
	require.Equal(t, []float64{0, 0.5}, obs)
	for n := range 3 {
		o, err := e.Step(Action{Number: 2})
		require.NoError(t, err)
		require.Equal(t, Outcome{[]float64{1, 2}, -1, false, n == 2}, o)
	}
	_, err = e.Reset(6)
	require.NoError(t, err)
	o, err := e.Step(Action{})
	require.NoError(t, err)
	require.Equal(t, Outcome{[]float64{1, 2}, 2000, true, false}, o)
	require.NoError(t, e.Close())
	_, err = e.Reset(1)
	require.ErrorContains(t, err, "is closed")
}

// TestBadProcess: each mistake has one line that says which, and nothing hangs.
func TestBadProcess(t *testing.T) {
	for _, c := range []struct {
		answers []string
		want    string
	}{
		{[]string{"die"}, "answer 1 (to hello): it ended: exit status 3; its last words: ValueError: no such pole"},
		{[]string{"stall"}, "answer 1 (to hello): no answer in 500ms"},
		{[]string{"close"}, "answer 1 (to hello): it ended: signal: killed"},
		{[]string{"long"}, "a line of more than 1048576 bytes"},
		{[]string{"rubbish"}, "is not the JSON that is wanted"},
		{[]string{`{"actions":2}`}, "no observation"},
		{[]string{`{"observation":2,"actions":2} {}`}, "has more than one value"},
		{[]string{`{"observation":0,"actions":2}`}, "observation 0; 1 to 4096 numbers"},
		{[]string{`{"observation":2}`}, "neither actions, nor low and high"},
		{[]string{`{"observation":2,"actions":0}`}, "actions 0; 1 and more"},
		{[]string{`{"observation":2,"actions":1,"low":[1],"high":[2]}`}, "want one"},
		{[]string{`{"observation":2,"low":[1],"high":[1,2]}`}, "low has 1 numbers, high 2"},
		{[]string{`{"observation":2,"low":[1],"high":[1]}`}, "low 1 is not below high 1"},
		{[]string{`{"observation":2,"actions":99999}`}, "99999 actions"},
		{[]string{hello, "die"}, "answer 2 (to reset): it ended"},
		{[]string{hello, `{"obs":[1]}`}, "an obs of 1 numbers, not 2"},
		{[]string{hello, `{"obs":[1,NaN]}`}, "with NaN is not the JSON that is wanted"},
		{[]string{hello, `{"obs":[1,1e999]}`}, "is not the JSON that is wanted"},
		{[]string{hello, `{"obs":[1,null]}`}, "null is not a number"},
		{[]string{`{"observation":2,"low":[null],"high":[1]}`}, "null is not a number"},
		{[]string{hello, `{}`}, "no obs"},
		{[]string{hello, reset, "die"}, "answer 3 (to act): it ended"},
		{[]string{hello, reset, "stall"}, "answer 3 (to act): no answer in 500ms"},
		{[]string{hello, reset, `{"obs":[1,2],"terminated":false,"truncated":false}`}, "no reward"},
		{[]string{hello, reset, `{"obs":[1,2],"reward":Infinity,"terminated":false,"truncated":false}`}, "with Infinity"},
		{[]string{hello, reset, `{"obs":[1,2],"reward":0,"truncated":false}`}, "no terminated"},
		{[]string{hello, reset, `{"obs":[1,2],"reward":0,"terminated":false}`}, "no truncated"},
		{[]string{`{"observation":2,"low":[-1e308],"high":[1e308]}`}, "their distance is beyond float64"},
		{[]string{`{"observation":2.5,"actions":2}`}, "wanted: observation is number 2.5; want an integer"},
		{[]string{hello, `[1,2]`}, "wanted: it is array; want an object"},
		{[]string{hello, `{"obs":1}`}, "wanted: obs is number; want an array of numbers"},
		{[]string{hello, reset, `{"obs":[1,2],"reward":1,"terminated":"no","truncated":false}`}, "wanted: terminated is string; want true or false"},
		{[]string{hello, reset, `{"obs":[1,2],"reward":"x","terminated":false,"truncated":false}`}, "is not the JSON that is wanted"},
	} {
		e, err := open(t, c.answers...)
		if err == nil {
			_, err = e.Reset(1)
		}
		if err == nil {
			_, err = e.Step(Action{})
		}
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
		require.NotContains(t, err.Error(), "Go ")
	}
	_, err := Open("no-such-program-here", Limits{})
	require.ErrorContains(t, err, "built in are cartpole and pendulum")
	_, err = Open("'open", Limits{})
	require.ErrorContains(t, err, "is not closed")
	_, err = Open("  ", Limits{})
	require.ErrorContains(t, err, "no command")
}

// TestBuiltIn: the environments that come with etch repeat themselves by the seed.
func TestBuiltIn(t *testing.T) {
	for _, name := range []string{"cartpole", "pendulum"} {
		a, err := Open(name, Limits{})
		require.NoError(t, err)
		b, err := Open(name, Limits{})
		require.NoError(t, err)
		x, _ := a.Reset(3)
		y, _ := b.Reset(3)
		require.Equal(t, x, y)
		require.Len(t, x, a.Spec().Observation)
		z, _ := b.Reset(4)
		require.NotEqual(t, x, z)
		o, err := a.Step(Action{Number: 1, Amounts: []float64{0.5}})
		require.NoError(t, err)
		require.Len(t, o.Observation, a.Spec().Observation)
	}
}
