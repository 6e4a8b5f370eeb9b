// Package scan reads value change dumps (IEEE 1364-2005, section 18) of any writer: the
// declarations at once, then one change after the other.
//
//	r, err := scan.New("uart.vcd", file)
//	for _, v := range r.Vars { fmt.Println(r.Path(v), v.Width) }
//	for {
//		c, err := r.Next() // io.EOF after the last
//		...
//	}
//
// The file is read by blocks and never held: memory grows with the declarations only, of which
// MaxVars, MaxText and MaxWidth bound the number, the bytes and the bits of one. Variables that
// share an identifier are one net and have the same Net, so that a change of the net is one Change.
//
// Values have the width of their net: a short one is extended on the left by 0, or by its own first
// digit where that is neither 0 nor 1, as the standard says. Digits are 0, 1, x, z and the other
// five of VHDL (u, w, l, h, -), in lower case. Reals and texts (GTKWave's "string") stand as
// written.
//
// An error names the file and the line. A file that is cut inside a command or a value is an
// error; one that is cut between two changes cannot be told from a shorter run.
//
// The package imports the standard library only.
package scan
