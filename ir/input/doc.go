// Package input reads texts from outside: their size is bounded, and so are the messages
// that quote them.
//
//	text, err := input.ReadFile("program.hex", 1<<30)
//	return fmt.Errorf("line 3: %s is not a number", input.Excerpt(word))
//
// A reader that takes its input whole must bound the size: a device or a broken pipe has no
// end. A message that quotes the input must shorten it, and must not pass control
// characters on to a terminal.
//
// The package imports the standard library only.
package input
