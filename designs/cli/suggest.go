package cli

import "strings"

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
	best, at := []string{}, 1+len(name)/3
	for _, k := range known {
		// Near is a third of the letters wrong and one more; of equally near names all are shown.
		switch d := distance(strings.ToLower(name), strings.ToLower(k)); {
		case k == "":
		case d < at:
			best, at = []string{k}, d
		case d == at:
			best = append(best, k)
		}
	}
	if len(best) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(best, " or ") + "?"
}

// distance is the number of letters to add, drop or change.
func distance(a, b string) int {
	// The Levenshtein distance by one row of its table (Wagner and Fischer, 1974).
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			// The letter is kept or changed; or one is dropped, or added.
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
