// Package cli is the etch command as a library: a user's own main gives it their
// designs and has the same verbs.
//
//	func main() {
//		cli.Main(cli.App{Designs: []cli.Design{
//			cli.Component("blinker", "blinks an LED", Blinker{Period: 100}),
//		}})
//	}
//
// Parameters of a design are the fields of its component, set by
// -p name=value: Go names in snake case, nested ones with dots. The list verb shows
// those of a design with the text, range and values in the tags of their fields,
// which hw.Build checks too; see [hw.Limits]:
//
//	type Blinker struct {
//		Period int `help:"clock cycles from flash to flash" range:"2..2^24"`
//	}
//
// The tag form tells in words what a free text may be, as form:"a file, or nothing".
//
// Usage errors exit with 2, failures with 1. Files appear whole or not at all, but a device or a FIFO,
// as -out /dev/stdout, is written directly. - is not taken as the name of a file. A command writes
// over none of the files that it reads, see [Flags.Apart].
//
// A command that simulates has the flags of [Flags.Waves]: -waves FILE writes a
// value change dump (.vcd) or GTKWave's compact format (.fst), -waves-cycles
// FROM:TO a part of the run.
package cli
