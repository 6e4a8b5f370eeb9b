package fuzz

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"etch/ir/bits"
)

// response is the output of a simulator for one circuit.
type response struct {
	samples []string // hexadecimal words of the outputs, as in the harness
	said    []string // the text between the two samples of each step
}

// readResponses reads the output of a batch: sample lines "@7 …", each after a line end of its
// own, and between them the output of statements.
func readResponses(path string, n int) ([]response, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := make([]response, n)
	var between bytes.Buffer
	r := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if at, rest, ok := sampleLine(line); ok && at < n {
			a := &all[at]
			if len(a.samples)%2 == 1 {
				// the line end before "@" is the harness's
				a.said = append(a.said, strings.TrimSuffix(between.String(), "\n"))
			}
			a.samples = append(a.samples, rest)
			between.Reset()
		} else {
			between.Write(line)
		}
		if err != nil {
			return all, nil
		}
	}
}

// sampleLine splits a sample line into the circuit's number and the values.
func sampleLine(line []byte) (at int, rest string, ok bool) {
	if len(line) < 2 || line[0] != '@' {
		return 0, "", false
	}
	number, text, _ := strings.Cut(strings.TrimRight(string(line[1:]), "\r\n"), " ")
	at, err := strconv.Atoi(number)
	return at, text, err == nil && at >= 0
}

// compare returns the first difference of a response from the interpreter, "" if there is none.
func (r *response) compare(c *Case, statements bool) string {
	want := c.Reference(fromZero)
	for i := range want.Samples {
		if i >= len(r.samples) {
			return fmt.Sprintf("step %d: the simulation ended there", i/2)
		}
		if text := sampleDiffers(c, i, r.samples[i]); text != "" {
			return text
		}

		// The text of a step is complete after its second sample.
		if statements && i%2 == 1 {
			if text := linesDiffer(want.Lines[i/2], r.said[i/2]); text != "" {
				return fmt.Sprintf("step %d: %s", i/2, text)
			}
		}
	}
	return ""
}

// sampleDiffers compares a sample's line with sample i of the interpreter.
func sampleDiffers(c *Case, i int, line string) string {
	want, at := c.Reference(fromZero), 0
	got := strings.Fields(line)

	// A line is cut short if the simulation ends within it.
	if len(got) != len(want.Ports) {
		return fmt.Sprintf("step %d: %d outputs printed, want %d", i/2, len(got), len(want.Ports))
	}
	for k, port := range want.Ports {
		p := &c.Design.Top.Ports[port]
		n := bits.WordCount(p.Width)
		v := bits.FromWords(p.Width, want.Samples[i][at:at+n])
		at += n
		if text := padded(v); text != got[k] {
			return differs(i, p.Name, fmt.Sprintf("%d'h%s", p.Width, got[k]), fmt.Sprintf("%d'h%s", p.Width, text))
		}
	}
	return ""
}

// padded returns all hexadecimal digits of a value.
func padded(v bits.Value) string { return fmt.Sprintf("%0*s", (v.Width()+3)/4, v.Hex()) }

// instancePath is the text that %m prints before the circuit's own instances.
var instancePath = regexp.MustCompile(` in \S*\.dut`)

// linesDiffer compares the output of statements in a step line by line, in any order: Verilog
// leaves the order of blocks open. Lines of covers are left out.
func linesDiffer(want []string, text string) string {
	split := func(text string) (lines []string) {
		for _, l := range strings.Split(text, "\n") {
			if l != "" && !strings.HasPrefix(l, "cover ") {
				lines = append(lines, l)
			}
		}
		sort.Strings(lines)
		return lines
	}

	// Paths begin at the harness there, and at the circuit here.
	x := split(instancePath.ReplaceAllString(text, " in dut"))
	y := split(strings.Join(want, "\n"))
	if !slices.Equal(x, y) {
		return fmt.Sprintf("statements said %q, want %q", x, y)
	}
	return ""
}
