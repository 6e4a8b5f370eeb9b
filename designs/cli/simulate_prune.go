package cli

import (
	"strings"

	"etch/ir"
	"etch/passes"
)

// pruned is d without what neither outputs nor statements nor the flags look at. A name that d lacks is
// left to the flag's own error.
func (r *runner) pruned(d *ir.Design) (*ir.Design, error) {
	flat := *d
	if _, err := passes.Flatten(&flat); err != nil {
		return nil, err
	}
	known := namesOf(flat.Top)

	// A name with brackets may be a memory's with the place of words.
	var v passes.Visible
	look := func(name string) {
		if at := strings.LastIndexByte(name, '['); !known[name] && at > 0 {
			name = name[:at]
		}
		if known[name] {
			v.Names = append(v.Names, name)
		}
	}
	for _, name := range r.prints {
		look(name)
	}
	for _, pair := range append([]string{r.until}, r.mems...) {
		name, _, _ := strings.Cut(pair, "=")
		look(name)
	}
	small, _, err := passes.Prune(&flat, v)
	return small, err
}

// namesOf is the names of values and memories.
func namesOf(m *ir.Module) map[string]bool {
	known := map[string]bool{}
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		known[m.NameOf(id)] = true
	}
	for i := range m.Mems {
		known[m.Mems[i].Name] = true
	}
	delete(known, "")
	return known
}
