// Package sat decides whether clauses can be satisfied: a solver by conflict-driven
// clause learning that is incremental, takes assumptions, and stops after a number
// of conflicts.
//
//	s := sat.New()
//	a, b := s.Var(), s.Var()
//	s.Add(a, b)                        // a or b
//	s.Add(a.Not(), b.Not())
//	s.Solve(-1, a)                     // sat.Yes
//	s.Value(b)                         // false
//	s.Solve(-1, a, b)                  // sat.No: not under these assumptions
//
// Proofs that gates are equal ask thousands of small questions about one growing set of clauses,
// and give up on hard ones. This decides the shape: clauses learned for one question serve the
// next, and the same questions with the same bounds have the same answers on every machine.
//
// The package imports the standard library only.
package sat
