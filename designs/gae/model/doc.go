// Package model is the arithmetic of generalized advantage estimation as the
// circuit of package gae has it, bit for bit, on Go integers.
//
// For the steps of a trajectory in time order, with rewards r, values V, and the flags term (the
// episode ended: nothing comes after) and cut ⊇ term (the next step is of another trajectory),
//
//	δ_t = r_t + γ·b_t − V_t      b_t = 0 if term, X_t if cut, else V_{t+1}
//	A_t = δ_t + γλ·A_{t+1}       without the second term if cut
//	R_t = A_t + V_t              the return ("reward to go")
//
// where X_t is the value of the state in which a trajectory was cut without having
// ended. The last step of every vector has cut set, so vectors follow each other
// without a gap. These are HEPPO's equations 10 and 11; its general equation
// for k steps prints the powers of γλ the wrong way round.
//
// Steps are given in the order in which the circuit takes them: the last one in
// time first. Numbers are raw two's-complement values of a [fixed.Format].
package model
