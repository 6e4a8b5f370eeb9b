package drive

import "math/bits"

// emptyJournal empties the journal, before machine code runs.
func (s *Stepper) emptyJournal() {
	at := s.P.Journal.State
	s.St.V[at], s.St.V[at+1] = 0, 0
}

// hasJournal reports whether the journal has records. If not, it is ready for the next call.
func (s *Stepper) hasJournal() bool {
	at := s.P.Journal.State
	s.St.V[at+1] = 0
	return s.St.V[at] > 0
}

// print writes the records of the journal to the output and empties it. full reports whether it
// had been full. The call began with event number done of the events at t, whose first one is
// the next that Cycles counts; done is negative if they are counted already. The writer may look
// at the Stepper, and finds the state after the call.
func (s *Stepper) print(t times, done int) (full bool) {
	j := &s.P.Journal

	// The number of records is a word of the state, which machine code counts up.
	records := int(s.St.V[j.State])

	// While a record is written, time and cycle count are those of its event.
	s.emptyJournal()
	now, cycles := s.Now, s.Cycles

	for r := range records {
		// A record is the number of its event within the call, a mask of the prints that acted, and
		// their arguments.
		record := s.journal[r*j.Words:][:j.Words]
		event := uint64(done) + record[0]
		s.Now, s.Cycles = t.first+event*t.step, cycles+event

		for w, marks := range record[1:][:(len(j.Prints)+63)/64] {
			for ; marks != 0; marks &= marks - 1 {
				k := 64*w + bits.TrailingZeros64(marks)
				s.say(&s.P.Stmts[j.Prints[k]], record[j.Args[k]:])
			}
		}
	}

	s.Now, s.Cycles = now, cycles
	return records == j.Records
}
