package yosys

import "strings"

// Level is when a reset acts.
type Level int

// The levels; 0 is no reset.
const (
	High Level = 1 + iota
	Low
)

// ResetByName tells whether an input is a reset, by the usual names: rst, reset_n,
// i_rst, wb_rst, resetn, aresetn.
func ResetByName(name string) Level {
	// Marks of direction and bus say nothing about the level.
	name = strings.ToLower(name)
	name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "i_"), "wb_"), "sys_")
	name = strings.TrimSuffix(strings.TrimSuffix(name, "_i"), "_in")
	for _, r := range []string{"rst", "reset", "arst", "areset", "rst_i"} {
		switch name {
		case r:
			return High
		case r + "n", r + "_n", r + "_ni", r + "_l", "n" + r, "n_" + r:
			return Low
		}
	}
	return 0
}
