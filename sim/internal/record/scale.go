package record

import (
	"fmt"
	"strings"
)

// Scale returns the power of ten of a unit of time in seconds, as -11 for
// "10ps". Error: the text is not 1, 10 or 100 of s, ms, us, ns, ps or fs.
func Scale(text string) (int, error) {
	digits := strings.TrimRight(text, "fpnums ")
	unit := strings.TrimSpace(text[len(digits):])
	tens := map[string]int{"1": 0, "10": 1, "100": 2}
	units := map[string]int{"s": 0, "ms": -3, "us": -6, "ns": -9, "ps": -12, "fs": -15}
	ten, ok := tens[digits]
	power, ok2 := units[unit]
	if !ok || !ok2 {
		return 0, fmt.Errorf("timescale %q is not 1, 10 or 100 of s, ms, us, ns, ps or fs", text)
	}
	return power + ten, nil
}
