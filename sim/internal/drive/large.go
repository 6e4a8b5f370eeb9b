package drive

import "etch/ir/bits"

// PassedLimit reports whether large memories exceed their limit, which Err says then. done is the
// number of events that have run since Cycles was counted.
func (s *Stepper) PassedLimit(done int) bool {
	return s.St.PassedLimit(s.Cycles+uint64(done)) && s.limited()
}

// limited makes the limit of memory the error of s, unless there is one.
func (s *Stepper) limited() bool {
	if s.Err == nil {
		s.Err = s.St.Large.Err
	}
	return true
}

// ReadMem returns the word at addr of a memory, which exists.
func (s *Stepper) ReadMem(mem int32, addr int) bits.Value {
	at := &s.P.Mems[mem]
	words := make([]uint64, at.Words)
	s.St.LoadRow(words, mem, addr)
	return bits.FromWords(at.Width, words)
}

// WriteMem changes the word at addr of a memory, which exists, to a value of its width. Error: large
// memories exceed their limit.
func (s *Stepper) WriteMem(mem int32, addr int, v bits.Value) error {
	// The change is counted, so that machine code does not rely on words that it keeps.
	at := &s.P.Mems[mem]
	s.Touch()
	if at.Slot == 0 {
		v.CopyTo(s.St.Mems[mem][addr*at.Words:])
		return nil
	}

	// A large memory keeps its words packed in pages.
	words := make([]uint64, at.Words)
	v.CopyTo(words)
	s.St.StoreRow(words, mem, addr)
	if s.St.Stored(s.Cycles) {
		s.limited()
	}
	return s.St.Large.Err
}
