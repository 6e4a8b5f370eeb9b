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
// Proving that gates are equal asks thousands of small questions about one growing
// set of clauses, and gives up on those that are hard. That is what decides its
// shape: what was learned for one question serves the next, and the same questions
// with the same bounds have the same answers on every machine.
//
// The package imports the standard library only.
package sat
