// Package text is the text form of a netlist: [Print] writes it, [Parse] reads it back.
// Print writes the canonical form: Print, Parse, Print gives the same bytes. The form holds
// everything that an [ir.Design] holds.
//
//	etch 1
//	file 0 "counter.go"
//	top counter_4
//
//	module counter_4 origin "Counter" { @0:10
//	  input clk: 1 clock = %1 @0:11
//	  input en: 1 bool = %2 @0:12
//	  output count: 4 = %3 @0:13
//	  %1 clk: 1 clock = input clk @0:11
//	  %2 en: 1 bool = input en @0:12
//	  %3 count: 4 = reg @0:17
//	  %4: 4 = const 4'h1 @0:18
//	  %5: 4 = add %3 %4 @0:18
//	  %6: 4 = mux %2 %5 %3 @0:18
//	  %7: 4 = const 4'h0 @0:17
//	  reg %3 next %6 clk %1 init %7
//	}
//
// # Grammar
//
// The text is lines. Blank lines and comments after "//" are skipped; blanks separate
// words. In EBNF, by line:
//
//	design   = "etch" "1" { file | enum | top | module } .
//	file     = "file" int string .                     files are numbered from 0 in order
//	enum     = "enum" name "{" [ name "=" int { "," name "=" int } ] "}" .
//	top      = "top" name .
//	module   = "module" name [ "origin" string ] "{" [ at ] { item } "}" .
//	item     = extern | port | node | reg | memory | instance | net | stmt | unused | attr .
//	extern   = "extern" name [ "model" ] { "file" string } { "param" name string } .
//	port     = ( "input" | "output" | "inout" ) name shape [ "=" id ] [ at ] [ tail ] .
//	node     = id [ name ] shape "=" op { operand } [ "{" arm { "," arm } "}" ] [ at ] [ tail ] .
//	arm      = ( value | "else" ) ":" id .
//	reg      = "reg" id "next" id "clk" id [ [ "async" | "latch" ] "rst" id "reset" id ] [ "init" id ] [ tail ] .
//	memory   = "memory" name ":" int "x" int [ type ] [ "style" name ] [ at ] { init } { read } { write } .
//	init     = "init" { value } .
//	read     = "read" name id "clk" id "addr" id [ "en" id ] "under" ( "old" | "new" | "undefined" ) [ at ] .
//	write    = "write" name "clk" id "addr" id "data" id [ "en" id ] [ "mask" id ] [ at ] .
//	instance = "instance" name "of" name "{" [ name id { "," name id } ] "}" [ at ] [ tail ] .
//	net      = "net" id [ "pull" ( "up" | "down" ) ] { drive } .
//	drive    = "drive" id "en" id [ at ] .
//	stmt     = ( "assert" | "assume" | "cover" | "print" | "stop" ) name "clk" id [ "en" id ] [ "cond" id ]
//	           [ "code" int ] [ "format" string { id } ] [ at ] .
//	attr     = "attr" ( id | "module" | "port" name | "memory" ref | "instance" ref ) word string .
//	unused   = "unused" id { id } .                    values that are read nowhere on purpose
//
//	shape    = ":" int [ type ] .                      bits; the type is uint when absent
//	type     = "uint" | "sint" | "bool" | "clock" | "reset" | "asyncreset" | "enum" ref | "fixed" int |
//	           "float" int int ( "ieee" | "onlynan" | "finite" ) .
//	ref      = name [ "#" int ] .                      ram#2 is the second one called ram
//	name     = word | string .                         a word: letter or "_", then letters, digits, "_", "$", "."
//	value    = width "'h" digits .                     as [bits.Value] prints it
//	id       = "%" ( letter | digit | "_" | "." ) … .  Print numbers nodes from 1 in order
//	at       = "@" int ":" int { "+" int ":" int } .   file and line, of several lines all of them
//	tail     = ";" [ "set" ( at | "@-" ) … ] [ "path" name ] .
//	string   = a quoted string of Go .
//
// The operands of a node are its arguments in order, except:
//
//	const VALUE            input PORT            memout MEMORY READPORT    out INSTANCE PORT
//	memread MEMORY %addr   lut TABLE %in …       slice %x at LOW           case %sel { KEY: %v, …, else: %d }
//
// A reg is a latch if it says "latch", or "async" with a reset value that is no constant. Print says
// "latch" only where the reset value is a constant.
//
// The string of an attr is its value as Verilog: "1", or "\"TRUE\"".
//
// The tail of a line has the positions of values, "@-" for an unknown one. An output, a
// register's next value and a wire have one; a mux has two, of the value for 1 and for 0; a
// case has those of the default and the values; an instance has one per connection, if they
// are not all on the instance's line. A path is the name of a scalar within its bundle,
// in.at.x of in_at_x.
//
// An id is a label: written by hand it may be any word (%sum), and it may be used
// before its line. A module comes before the modules that instantiate it.
//
// # Limits and errors
//
// An error names file, line and column and the expected text. Parse refuses lines of more
// than 64 MiB, widths above [bits.MaxWidth], memories of more than 2^30 words or 2^33 bits,
// and designs with more than 2^30 bits of constants, so that a short text cannot ask for
// much memory. A design that Parse returns has passed [ir.Verify].
//
// The package parses with participle. No other package does, so that programs without it do
// not link it.
package text
