// Package hw is the language in a module of another name.
package hw

type UInt struct{ _ [0]func() }

func (x UInt) Inc() UInt { panic(0) }
