package yosys

import (
	"fmt"
	"slices"
	"strings"
)

// Of system tasks yosys knows $display and $write outside of initial blocks, with
// the usual formats, and $readmem; 0.23 stops at most of the others. They are no
// hardware, so they are cut out. Functions that no circuit can compute are 0.

// readTasks are left to yosys; $display and $write have conditions.
var readTasks = map[string]bool{"$readmemh": true, "$readmemb": true, "$display": true, "$displayb": true, "$displayh": true, "$displayo": true,
	"$write": true, "$writeb": true, "$writeh": true, "$writeo": true}

// zeroFunctions are system functions read as 0.
var zeroFunctions = map[string]bool{"$random": true, "$urandom": true, "$urandom_range": true, "$time": true, "$stime": true, "$realtime": true,
	"$test$plusargs": true, "$value$plusargs": true, "$fopen": true, "$feof": true, "$fscanf": true, "$sscanf": true, "$fgets": true, "$fgetc": true, "$fread": true}

// cutTasks are cut out of always blocks too.
var cutTasks = map[string]bool{"$finish": true, "$stop": true, "$fatal": true, "$error": true, "$warning": true, "$info": true,
	"$monitor": true, "$monitoron": true, "$monitoroff": true, "$strobe": true, "$fdisplay": true, "$fwrite": true, "$fstrobe": true, "$fmonitor": true,
	"$fclose": true, "$fflush": true, "$dumpfile": true, "$dumpvars": true, "$dumpon": true, "$dumpoff": true, "$dumpall": true, "$dumpflush": true, "$dumplimit": true,
	"$timeformat": true, "$printtimescale": true, "$sformat": true, "$swrite": true, "$writememh": true, "$writememb": true, "$exit": true, "$system": true,
	"$assertoff": true, "$asserton": true, "$assertkill": true, "$sdf_annotate": true}

// cutter collects the tasks cut out of all files.
type cutter struct {
	order  []string
	places map[string][]string
	zero   map[string]bool
}

// tasks cuts tasks out of a text and reports whether there were any.
func (c *cutter) tasks(file string, text []byte) bool {
	if !strings.Contains(string(text), "$") {
		return false
	}
	original := string(text)
	code := codeOf(original)
	starts := initials(code)
	changed := false
	eachWord(code, 0, func(w string, at int) int {
		end := at + len(w)
		if w[0] != '$' {
			return end
		}
		inInitial := slices.ContainsFunc(starts, func(s [2]int) bool { return s[0] <= at && at < s[1] })
		stop := afterCall(code, end)
		switch {
		// A call is blanked in place, so that lines stay; a function leaves a 0.
		case zeroFunctions[w]:
			wipe(text[at:stop])
			text[at] = '0'
			c.add(file, original, at, w, true)
		case cutTasks[w] || readTasks[w] && !strings.HasPrefix(w, "$readmem") && (inInitial || !isKnownFormat(original[end:stop])):
			from := at
			if before := strings.TrimRight(code[:at], " \t\r\n"); strings.HasSuffix(before, "else") {
				// Of an assertion, else goes too.
				if b := strings.TrimRight(strings.TrimSuffix(before, "else"), " \t\r\n"); strings.HasSuffix(b, ")") {
					from = len(before) - len("else")
				}
			}
			wipe(text[from:stop])
			if !inInitial || w != "$display" && w != "$write" { // these print once, as the netlist cannot
				c.add(file, original, at, w, false)
			}
		default:
			return end
		}
		changed = true
		return stop
	})
	return changed
}

func (c *cutter) add(file, text string, at int, task string, zero bool) {
	if c.places == nil {
		c.places, c.zero = map[string][]string{}, map[string]bool{}
	}
	if c.places[task] == nil {
		c.order = append(c.order, task)
	}
	c.zero[task] = zero
	c.places[task] = append(c.places[task], placeIn(file, []byte(text), at))
}

// notes returns a line for each task that was cut.
func (c *cutter) notes() (notes []string) {
	for _, task := range c.order {
		places := c.places[task]
		more := ""
		if len(places) > 1 {
			more = fmt.Sprintf(" (and at %d other places)", len(places)-1)
		}
		if c.zero[task] {
			notes = append(notes, fmt.Sprintf("%s: %s is read as 0%s", places[0], task, more))
		} else {
			notes = append(notes, fmt.Sprintf("%s: %s is not read%s", places[0], task, more))
		}
	}
	return notes
}

// afterCall is where the arguments of a call end that begin at an index, if it has
// any.
func afterCall(code string, at int) int {
	i := at
	for i < len(code) && (code[i] == ' ' || code[i] == '\t' || code[i] == '\n' || code[i] == '\r') {
		i++
	}
	if i == len(code) || code[i] != '(' {
		return at
	}
	for depth := 0; i < len(code); i++ {
		switch code[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return at
}

// isKnownFormat reports whether yosys knows each field of a format. Other arguments
// than a text at first have none.
func isKnownFormat(args string) bool {
	s := strings.TrimLeft(args, " \t\r\n(")
	if !strings.HasPrefix(s, `"`) {
		return true
	}

	// Skip the digits between % and its letter.
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '%':
			i++
			for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '-' || s[i] == '+') {
				i++
			}
			if i < len(s) && !strings.ContainsRune("dDhHxXbBoOcCsSmMlL%", rune(s[i])) {
				return false
			}
		}
	}
	return true
}

// initials is the extents of the statements of initial blocks.
func initials(code string) (all [][2]int) {
	eachWord(code, 0, func(w string, at int) int {
		end := at + len(w)
		if w != "initial" {
			return end
		}
		stop := statementEnd(code, end)
		all = append(all, [2]int{at, stop})
		return stop
	})
	return all
}

// statementEnd is where a statement ends: behind the end that belongs to its first
// begin, else behind the first semicolon outside of parentheses.
func statementEnd(code string, at int) int {
	semicolon, paren := len(code), 0
	for i := at; i < len(code) && semicolon == len(code); i++ {
		switch code[i] {
		case '(':
			paren++
		case ')':
			paren--
		case ';':
			if paren <= 0 {
				semicolon = i + 1
			}
		}
	}

	// A block that begins before the semicolon ends behind its own end.
	depth, stop := 0, semicolon
	eachWord(code, at, func(w string, i int) int {
		if depth == 0 && i > semicolon {
			return -1
		}
		switch w {
		case "begin", "case", "casez", "casex", "fork":
			depth++
		case "end", "endcase", "join":
			if depth--; depth <= 0 {
				stop = i + len(w)
				return -1
			}
		case "endmodule":
			stop = i
			return -1
		}
		return i + len(w)
	})
	return stop
}
