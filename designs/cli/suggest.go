package cli

import (
	"strings"

	"etch/ir/input"
)

// suggestion is "; did you mean X?" for the nearest known names, or a list of all
// when nothing is near.
func suggestion(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return near
	}
	if len(known) > 0 && len(known) <= maxListed {
		return "; there are " + strings.Join(known, ", ")
	}
	return ""
}

// Suggestion is suggestion for messages of a design's own commands: it may be added
// to an error about a name that is not known.
func Suggestion(name string, known []string) string { return suggestion(name, known) }

// nearest is "; did you mean X?" for the nearest known names, "" when nothing is
// near.
func nearest(name string, known []string) string {
	// Near is a quarter of the letters wrong and one more; of equally near names all are shown.
	best := input.Closest(name, known, 1+len(name)/4)
	if len(best) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(best, " or ") + "?"
}
