package input

import "strings"

// Distance is the Levenshtein distance of a and b, in bytes, or any number above most if it exceeds
// most: for errors that name the nearest of the known words.
func Distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}

	// One row of the dynamic programme; diagonal is the previous row's element to the left.
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// least is the shortest wrong name, in bytes, that is compared with parts of a known name.
const least = 3

// Unlike is the number of letters by which a wrong name differs from a known one, as [Distance], most+1
// if it is larger than most. A name that begins a part of the known one, as data does in bytes_data and
// tx.data, differs by one: people leave out the rest.
func Unlike(name, known string, most int) int {
	d := Distance(name, known, most)
	if d <= 1 || len(name) < least {
		return d
	}
	for i, part := range strings.FieldsFunc(known, func(r rune) bool { return r == '_' || r == '.' || r == '[' }) {
		if strings.HasPrefix(part, name) && (i > 0 || len(part) < 2*len(name)) {
			return 1
		}
	}
	return d
}
