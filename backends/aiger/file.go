package aiger

// File is the contents of an AIGER file. Literals are those of the format: twice a
// variable, plus one for its inverse; 0 is false and 1 is true.
type File struct {
	MaxVar      uint32
	Inputs      []Symbol
	Latches     []Latch
	Outputs     []Symbol
	Bad         []Symbol
	Constraints []Symbol
	Ands        []And
	Comment     string // lines at the end of the file
}

// Symbol is a literal with a name, "" for none.
type Symbol struct {
	Lit  uint32
	Name string
}

// Latch is a bit of state. Init is 0, 1, or Lit itself for an unknown start.
type Latch struct {
	Lit, Next, Init uint32
	Name            string
}

// And is Lit = A and B.
type And struct{ Lit, A, B uint32 }

// kinds is the lists with names, by their letters in the symbol table.
// Latches are of another type, so they are copied.
func (f *File) kinds() []struct {
	letter byte
	list   []Symbol
} {
	latches := make([]Symbol, len(f.Latches))
	for i, l := range f.Latches {
		latches[i] = Symbol{l.Lit, l.Name}
	}
	return []struct {
		letter byte
		list   []Symbol
	}{{'i', f.Inputs}, {'l', latches}, {'o', f.Outputs}, {'b', f.Bad}, {'c', f.Constraints}}
}
