package explore

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Sweep is a parameter and the values that it takes.
type Sweep struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// MaxCandidates bounds a plan.
const MaxCandidates = 100_000

// ParseSweep reads name=v1,v2,…, where an item lo..hi stands for the integers from lo to
// hi, lo..hi+s for every s-th of them and lo..hi*f for lo, lo·f, lo·f² and so on.
// A number may be a power, as 2^10. Items are separated by semicolons where there is
// one: the values of lists have commas. A single list ends in a semicolon, as 4,2,2,2;.
func ParseSweep(text string) (Sweep, error) {
	// A semicolon anywhere makes semicolons the separator, so that lists can be values.
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || list == "" {
		return Sweep{}, fmt.Errorf("%q is not name=v1,v2,… or name=lo..hi", text)
	}
	s := Sweep{Name: name}
	separator := ","
	if strings.Contains(list, ";") {
		separator, list = ";", strings.TrimSuffix(list, ";")
	}

	known := map[string]bool{}
	for _, item := range strings.Split(list, separator) {
		values, err := expand(strings.TrimSpace(item))
		if err != nil {
			return Sweep{}, fmt.Errorf("sweep of %s: %w", name, err)
		}
		for _, v := range values {
			if known[v] {
				return Sweep{}, fmt.Errorf("sweep of %s: %s is there twice; values that are lists stand between semicolons, as 3,1;1,1", name, v)
			}
			known[v] = true
		}
		s.Values = append(s.Values, values...)
	}
	return s, nil
}

var (
	rangeForm  = regexp.MustCompile(`^(-?\d+(?:\^\d+)?)\.\.(-?\d+(?:\^\d+)?)(?:([*+])(\d+))?$`)
	likeARange = regexp.MustCompile(`^-?\d.*\.\.`) // a path may begin with two dots
)

// expand lists the values of a range such as 1..8, 0..8+2 or 1..64*2. Any other item is one value.
func expand(item string) ([]string, error) {
	m := rangeForm.FindStringSubmatch(item)
	switch {
	case item == "":
		return nil, fmt.Errorf("an empty value")
	case m == nil && likeARange.MatchString(item):
		return nil, fmt.Errorf("%q is not lo..hi, lo..hi+step or lo..hi*factor of integers", item)
	case m == nil:
		return []string{item}, nil
	}

	// The bounds, and a step of 1 unless there is one.
	lo, err := integer(m[1])
	if err != nil {
		return nil, err
	}
	hi, err := integer(m[2])
	if err != nil {
		return nil, err
	}
	by := int64(1)
	if m[4] != "" {
		if by, err = integer(m[4]); err != nil {
			return nil, err
		}
	}

	switch times := m[3] == "*"; {
	case lo > hi:
		return nil, fmt.Errorf("%s: %d is above %d", item, lo, hi)
	case times && (lo < 1 || by < 2):
		return nil, fmt.Errorf("%s: want a start from 1 and a factor from 2", item)
	case by < 1:
		return nil, fmt.Errorf("%s: want a step from 1", item)
	}

	// Counting up, bounded: 1..2^31 is a mistake and no plan.
	var values []string
	for x := lo; x <= hi; {
		if values = append(values, strconv.FormatInt(x, 10)); len(values) > MaxCandidates {
			return nil, fmt.Errorf("%s: more than %d values", item, MaxCandidates)
		}
		if m[3] == "*" {
			x *= by // both are at most 2^31: no overflow
		} else {
			x += by
		}
	}
	return values, nil
}

// integer reads a number or a power. It is at most 2^31 in size.
func integer(text string) (int64, error) {
	// A power is multiplied out with a check at each factor, since the result may be past 64 bits.
	base, exponent, power := strings.Cut(text, "^")
	x, err := strconv.ParseInt(base, 10, 64)
	n := int64(1)
	if err == nil && power {
		n, err = strconv.ParseInt(exponent, 10, 64)
	}

	// Factors of at least 2 pass the bound within 32 rounds; 64 bound the rounds of 0 and 1.
	const most = 1 << 31
	out := int64(1)
	for i := int64(0); i < n && err == nil; i++ {
		if out *= x; out > most || out < -most || i > 64 {
			err = strconv.ErrRange
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%s is no integer up to 2^31", text)
	}
	return out, nil
}

// product lists all candidates, the last sweep fastest.
func product(sweeps []Sweep, fixed map[string]string) ([]map[string]string, error) {
	// Mistakes that no single sweep shows, before anything is made.
	n := 1
	for i, s := range sweeps {
		if slices.ContainsFunc(sweeps[:i], func(o Sweep) bool { return o.Name == s.Name }) {
			return nil, fmt.Errorf("%s is swept twice", s.Name)
		}
		if _, also := fixed[s.Name]; also {
			return nil, fmt.Errorf("%s is swept and fixed", s.Name)
		}
		if n *= len(s.Values); n > MaxCandidates {
			return nil, fmt.Errorf("the sweeps have more than %d configurations", MaxCandidates)
		}
	}

	// A candidate's number, written in the mixed base of the sweeps' lengths, is its
	// choice of values.
	all := make([]map[string]string, n)
	for i := range all {
		values := make(map[string]string, len(fixed)+len(sweeps))
		for name, v := range fixed {
			values[name] = v
		}
		at := i
		for j := len(sweeps) - 1; j >= 0; j-- {
			s := sweeps[j]
			values[s.Name] = s.Values[at%len(s.Values)]
			at /= len(s.Values)
		}
		all[i] = values
	}
	return all, nil
}
