package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// in puts lines into the body of a module of an otherwise good text; the first
// of them is line 4.
func in(lines string) string { return "etch 1\ntop t\nmodule t {\n" + lines + "\n}\n" }

// TestErrors: every mistake is told with line, column and what was expected.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `x:1:1: expected "etch 1"`},
		{"top t", `x:1:1: expected "etch 1" in the first line`},
		{"etch 2", `x:1:6: version 2 of the text form; this program reads 1`},
		{"etch 1\netch 1", `x:2:1: a second header`},
		{"etch 1\n", `x:1:7: no top is named`},
		{"etch 1\ntop t", `x:2:5: there is no module t`},
		{"etch 1\ntop t\ntop t", `x:3:5: a second top`},
		{"etch 1\ntop t\nmodule t {", `x:3:11: expected "}" at the end of module t`},
		{"etch 1\nmodule t {\nmodule u {", `x:3:8: expected "}" at the end of module t`},
		{"etch 1\nmodule t {\n}\nmodule t {", `x:4:8: a second module t`},
		{"etch 1\n}", `x:2:1: this belongs in a module`},
		{"etch 1\nfile 1 \"a\"", `x:2:6: expected file 0`},
		{"etch 1\nenum e { a = -1 }", `x:2:14: a code lies between 0 and 2^64-1`},
		{"etch 1\nenum e { a 1 }", `x:2:12: unexpected "1" (expected "="`},
		{in("bogus %1"), `x:4:1: no line begins with bogus`},
		{in("%1: 4 ="), `x:4:8: unexpected end of line (expected name`},
		{in("%1 4 = const 4'h0"), `x:4:4: unexpected "4" (expected Shape`},
		{in("%1: 0 = const 4'h0"), `x:4:5: a width of 0; expected 1 to 16777216`},
		{in("%1: 99999999999999999999 = const 4'h0"), `x:4:5: a width of 99999999999999999999`},
		{in("%1: 4 = magic %1"), `x:4:9: there is no op magic`},
		{in("%1: 4 = const"), `x:4:9: expected a value after const`},
		{in("%1: 4 = const 4'h10"), `x:4:15: "4'h10" does not fit in 4 bits`},
		{in("%1: 4 = const 0'h0"), `x:4:15: a constant of no bits`},
		{in("%1: 4 = const 4'hG"), `x:4:15: "4'hG" has 'G' where a digit`},
		{in("%1: 4 = add %1"), `x:4:9: add takes 2 arguments, not 1`},
		{in("%1: 4 = and %1"), `x:4:9: and takes at least 2 arguments, not 1`},
		{in("%1: 4 = add %1 4'h3"), `x:4:16: expected a node as argument of add, not 4'h3`},
		{in("%1: 1 = lut 2'h1" + strings.Repeat(" %1", 17)), `x:4:9: lut takes at most 16 arguments, not 17`},
		{in("%1: 4 = not %2"), `x:4:13: node %2 has no line in module t`},
		{in("%1: 4 = slice %1"), `x:4:9: expected slice %x at LOW`},
		{in("%1: 4 = slice %1 at -1"), `x:4:21: a lowest bit of -1`},
		{in("%1: 4 = case %1 { 4'h1: %1 }"), `x:4:19: else is the last arm`},
		{in("%1: 4 = case %1 { else: %1, 4'h1: %1 }"), `x:4:19: else is the last arm`},
		{in("%1: 4 = case %1"), `x:4:9: expected case %selector {`},
		{in("%1: 4 = not %1 { else: %1 }"), `x:4:9: not has no arms in braces`},
		{in("%1: 4 = input"), `x:4:9: expected the name of a port after input`},
		{in("%1: 4 = input a"), `x:4:15: module t has no port a`},
		{in("%1: 4 = memread ram %1"), `x:4:17: there is no memory ram`},
		{in("%1: 4 = memread %1"), `x:4:9: expected memread MEMORY %address`},
		{in("%1: 4 = memout ram r\nmemory ram: 1 x 4"), `x:4:20: there is no read port r`},
		{in("%1: 4 = memread ram#2 %1\nmemory ram: 1 x 4"), `x:4:21: memory ram of 2; expected 2 to 1`},
		{in("attr module keep 1"), `x:4:18: unexpected "1" (expected text`},
		{in("attr module keep \"yes\""), `x:4:18: attribute keep has the value yes; expected an integer or a string of Verilog`},
		{in("attr module keep \"1\"\nattr module keep \"2\""), `x:5:13: a second attribute keep`},
		{in("attr %1 keep \"1\""), `x:4:6: node %1 has no line`},
		{in("attr port a keep \"1\""), `x:4:11: module t has no port a`},
		{in("attr memory a keep \"1\""), `x:4:13: there is no memory a`},
		{in("attr instance a keep \"1\""), `x:4:15: there is no instance a`},
		{in("%1: 4 = const 4'h0\nattr %1 keep \"1\""), `%1 has attributes and is no register or value with a name`},
		{in("%1: 4 = out u y"), `x:4:13: there is no instance u`},
		{in("%1: 4 = const 4'h1\n%1: 4 = const 4'h1"), `x:5:1: a second node %1`},
		{in("%1: 4 enum e = const 4'h1"), `x:4:12: there is no enum e`},
		{in("%1: 4 fixed 99999999 = const 4'h1"), `x:4:13: a fraction of 99999999`},
		{in("%1: 4 = const 4'h1 @0:3"), `x:4:20: no file 0 is listed`},
		{in("input a: 1\ninput a: 1"), `x:5:7: a second port a`},
		{in("reg %1 next %1"), `x:4:15: unexpected end of line (expected "clk"`},
		{in("reg %1 next %1 clk %1 async init %1"), `x:4:29: unexpected "init" (expected "rst"`},
		{in("reg %1 next %1 clk %1 latch init %1"), `x:4:29: unexpected "init" (expected "rst"`},
		{in("reg %1 next %1 clk %1 async latch rst %1 reset %1"), `x:4:29: unexpected "latch"`},
		{in("memory m: 0 x 4"), `x:4:11: a depth of 0`},
		{in("memory m: 1073741824 x 9"), `x:4:11: a memory of 1073741824 x 9 bits`},
		{in("memory m: 1073741825 x 1"), `x:4:11: a depth of 1073741825; expected 1 to 1073741824`},
		{in("memory m: 1 x 4\ninit 5'h1"), `x:5:6: a word of 5 bits in a memory of 4`},
		{in("memory m: 1 x 4\ninit 4'h1 4'h2"), `x:5:6: more than 1 words`},
		{in("drive %1 en %1"), `x:4:1: drive belongs right after a net`},
		{in("net %1 pull left"), `x:4:13: unexpected "left"`},
		{in("net %1\ndrive %1"), `x:5:9: unexpected end of line (expected "en"`},
		{in("init 4'h1"), `x:4:1: init belongs right after a memory`},
		{in("instance u of v { }"), `x:4:15: no module v comes before`},
		{in("print p clk %1 cond %1"), `x:4:21: print has no condition`},
		{in("extern e\nextern e"), `x:5:8: a second extern`},
		{in("input a: 1 @0:1"), `x:4:12: no file 0 is listed`},
		{in("input a: 0"), `x:4:10: a width of 0`},
		{in("memory m: 2 x 2 @0:1"), `x:4:17: no file 0`},
		{in("memory m: 2 x 0"), `x:4:15: a width of 0`},
		{in("memory m: 2 x 2 enum e"), `x:4:22: there is no enum e`},
		{in("memory m: 2 x 2\nread r %1 clk %1 addr %1 under old @0:1"), `x:5:36: no file 0`},
		{in("memory m: 2 x 2\nread r %1 clk %1 addr %1 under middle"), `x:5:32: unexpected "middle" (expected ("old" | "new" | "undefined") at?)`},
		{in("memory m: 2 x 2\nwrite r clk %1 addr %1 data %1 @0:1"), `x:5:32: no file 0`},
		{in("memory m: 2 x 2\ninit 2'h5"), `x:5:6: "2'h5" does not fit in 2 bits`},
		{in("print p clk %1 @0:1"), `x:4:16: no file 0`},
		{"etch 1\nfile 0 \"a\"\nmodule t { @0:0", `x:3:12: line 0; expected 1 to`},
		{"etch 1\nfile 0 \"a\"\nmodule t { @1:1", `x:3:12: no file 1 is listed`},
		{"etch 1\nenum e { }\ntop t\nmodule t {\n%1: 1 enum e#3 = const 1'h0\n}", `x:5:14: enum e of 3; expected 2 to 1`},
		{in("%1: 4 = case %1 { 4'hx: %1, else: %1 }"), `x:4:19: "4'hx" has 'x'`},
		{in("%1: 4 = memout"), `x:4:9: expected the name of a memory after memout`},
		{in("%1: 4 = memout ram # r\nmemory ram: 1 x 4"), `x:4:20: expected a number after #`},
		{in("%1: 4 = memout ram\nmemory ram: 1 x 4"), `x:4:9: expected the name of a read port after memout`},
		{in("%1: 4 = input a b\ninput a: 4 = %1"), `x:4:17: unexpected b after input`},
		{in("%"), `x:4:1: expected the number of a node after %`},
		{in("\"a"), `x:4:1: the string does not end`},
		{in("@1"), `x:4:1: expected a position like @0:12`},
		{in("12x"), `x:4:1: a number with letters in it`},
		{in("\u00e9"), `x:4:1: unexpected character 'é'`},
		{in("- 1"), `x:4:1: expected a number after -`},
		{"etch 1\ntop t\nmodule c {\ninput a: 1 = %1\n%1: 1 = input a\n}\nmodule t {\n%1: 1 = const 1'h0\ninstance u of c { b %1 }\n}",
			`x:9:19: module c has no port b`},
		{"etch 1\ntop t\nmodule c {\ninput a: 1 = %1\n%1: 1 = input a\n}\nmodule t {\n%1: 1 = const 1'h0\ninstance u of c { }\n}",
			`x:9:20: port a of c is not connected`},
		{in("%1: 4 = const 5'h0"), `x: module t: %1 = const of 4 bits: constant of 5 bits in a node of 4`},
		{in("%1: 1 = not %1"), `x: module t: combinational loop of 1 nodes`},
	} {
		_, err := Parse(strings.NewReader(c.text), "x")
		require.Error(t, err, "%s", c.text)
		require.Contains(t, err.Error(), c.want, "%s", c.text)
		require.Less(t, strings.Count(err.Error(), "\n"), 7)
	}
}

// TestManyViolations: what does not verify is told in a few lines.
func TestManyViolations(t *testing.T) {
	_, err := Parse(strings.NewReader(in(strings.Repeat("reg %1 next %2 clk %1\n", 50)+"%1: 1 = const 1'h0\n%2: 2 = const 2'h0")), "x")
	require.ErrorContains(t, err, "is not a clock")
	require.ErrorContains(t, err, "and 145 more")
	require.Equal(t, 5, strings.Count(err.Error(), "\n"))
}

// TestDefinition: the grammar can also be given one line as participle reads it.
func TestDefinition(t *testing.T) {
	l, err := grammar().ParseString("x", "top t // the top")
	require.NoError(t, err)
	require.Equal(t, "t", l.Top.Name.Value)
}

// endless never stops giving text.
type endless struct{ line string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.line)
	}
	return n, nil
}

// TestBounded: short texts that ask for much are refused, and so is a line without
// end. A parser that read on would meet go test's own time limit.
func TestBounded(t *testing.T) {
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "%%%d: 16777216 = const 16777216'h0\n", i)
	}
	_, err := Parse(strings.NewReader(in(many.String())), "x")
	require.ErrorContains(t, err, "bits of constants")
	var types strings.Builder
	for i := range maxTypes + 1 {
		fmt.Fprintf(&types, "%%%d: 1 fixed %d = const 1'h0\n", i, i)
	}
	_, err = Parse(strings.NewReader(in(types.String())), "x")
	require.ErrorContains(t, err, "too many types")
	_, err = Parse(endless{"% % % "}, "x")
	require.ErrorContains(t, err, "x:1:1: the line has more than")
	_, err = Parse(strings.NewReader(in("%1: 1 = and "+strings.Repeat("%1 ", maxTokens))), "x")
	require.ErrorContains(t, err, "words in a line")
}

// TestLongLines: operations of very many arguments are read in linear time.
func TestLongLines(t *testing.T) {
	n := 200_000
	_, err := Parse(strings.NewReader(in("%1: 1 = const 1'h1\n%2: 200000 = cat"+strings.Repeat(" %1", n))), "x")
	require.NoError(t, err)
}
