// Package hardware is in a folder hw and is not the language.
package hardware

type UInt struct{ n int }

func (x UInt) Inc() UInt { return x }
