// Package input reads texts that somebody else made: of a size that is bounded, and
// with messages that are.
//
//	text, err := input.ReadFile("program.hex", 1<<30)
//	return fmt.Errorf("line 3: %s is not a number", input.Excerpt(word))
//
// A reader that takes what it is given whole must say how much that may be: a device
// or a broken pipe has no end. A message that repeats what it was given must cut it,
// and must not hand control characters on to a terminal.
//
// The package imports the standard library only.
package input
