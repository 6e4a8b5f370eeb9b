package syntax

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
)

// printed is the text of an expression.
func printed(e *Expr) string {
	var b bytes.Buffer
	o := Printer{W: &b}
	o.Expr(e, 0)
	o.Flush()
	return b.String()
}

// Brackets stand where Verilog or a reader needs them, and nowhere else.
func TestBrackets(t *testing.T) {
	var a Arena
	x, y, z := a.Name([]byte("x")), a.Name([]byte("y")), a.Name([]byte("z"))
	x.Width, y.Width, z.Width = 8, 8, 8
	s := a.Name([]byte("s"))
	s.Signed = true
	flat := func(e *Expr) *Expr { e.Flat = FlatLeft | FlatRight; return e }
	braced := func(e *Expr) *Expr { e.Brace = true; return e }
	gate := func(e *Expr) *Expr { e.Gate = true; return e }

	for want, e := range map[string]*Expr{
		"x + y * z":           a.Binary(Add, x, a.Binary(Mul, y, z)),
		"(x + y) * z":         a.Binary(Mul, a.Binary(Add, x, y), z),
		"x - (y - z)":         a.Binary(Sub, x, a.Binary(Sub, y, z)),
		"x & y & z":           flat(a.Binary(And, a.Binary(And, x, y), z)),
		"(x & y) & z":         flat(a.Binary(And, gate(a.Binary(And, x, y)), z)),
		"(x == y) & z":        a.Binary(And, a.Binary(Eq, x, y), z),
		"x == y && z":         a.All(a.Binary(Eq, x, y), z),
		"x || (y && z)":       a.Binary(OrOr, x, a.All(y, z)),
		"~(x ^ y)":            a.Map(Invert, a.Binary(Xor, x, y)),
		"-(-x)":               a.Map(Minus, a.Map(Minus, x)),
		"x + -y":              a.Binary(Add, x, a.Map(Minus, y)),
		"~(|x)":               a.Map(Invert, a.Unary(AnyOne, x)),
		"(&x) | y":            a.Binary(Or, a.Unary(AllOnes, x), y),
		"x ? y : z ? x : y":   a.Choose(x, y, a.Choose(z, x, y, BreakLong), BreakLong),
		"(x ? y : z) + x":     a.Binary(Add, a.Choose(x, y, z, BreakLong), x),
		"x == y ? z : x":      a.Choose(a.Binary(Eq, x, y), z, x, BreakNever),
		"x << 3":              a.Binary(Shl, x, a.Number(3)),
		"(x)":                 braced(a.Name([]byte("x"))),
		"{x[3:0], {2{y, z}}}": a.Concat(a.Select(a.Name([]byte("x")), 0, 4, 8), a.Repeat(2, y, z)),
		"{{4'd0, x}, y}":      a.Concat(a.Extend(a.Literal(bits.Zero(4)), a.Select(a.Name([]byte("x")), 0, 4, 4)), y),
		"f(x, y[7])":          a.Call([]byte("f"), a.Name([]byte("x")), a.Select(a.Name([]byte("y")), 7, 1, 8)),
		"mem[x + y]":          a.Index([]byte("mem"), a.Binary(Add, a.Name([]byte("x")), a.Name([]byte("y"))), 8),
		"8'hff":               a.Literal(bits.Ones(8)),
		"-8'sd3":              a.SignedLiteral(bits.New(8, 253)),
		"$signed(8'd128)":     a.SignedLiteral(bits.New(8, 128)),
		"16'h00ff":            a.Table(bits.New(16, 255)),
		"$unsigned(s)":        a.ToUnsigned(s),
		"x[0] ? 1'b0 : 1'b1":  a.Choose(a.Select(a.Name([]byte("x")), 0, 1, 8), a.Literal(bits.Zero(1)), a.Literal(bits.Ones(1)), BreakNever),
		"!x":                  a.Unary(Not, a.Name([]byte("x"))),
		"!(x == y)":           a.Unary(Not, a.Binary(Eq, x, y)),
		"{4{1'bx}}":           a.Repeat(4, a.Text("1'bx")),
		"lut2(4'h8, {x, y})":  a.Call([]byte("lut2"), a.Table(bits.New(4, 8)), a.Concat(x, y)),
		"x >>> y":             a.Binary(ShrSigned, x, y),
		"(x < y) == z":        a.Binary(Eq, a.Binary(Lt, x, y), z),
		"x * y + z":           a.Binary(Add, a.Binary(Mul, x, y), z),
		"(x + y) + z":         a.Binary(Add, a.Binary(Add, x, y), z),
		"(x << y) << z":       a.Binary(Shl, a.Binary(Shl, x, y), z),
		"1'b0":                a.Literal(bits.Zero(1)),
		"{300{1'b1}}":         a.Literal(bits.Ones(300)),
		"10'd77":              a.Literal(bits.New(10, 77)),
		"x[7:4] & y":          a.Binary(And, a.Select(a.Name([]byte("x")), 4, 4, 8), y),
		"(x ? y : z) ? y : z": a.Choose(a.Choose(x, y, z, BreakLong), y, z, BreakLong),
		"x ? (y ? x : z) : z": a.Choose(x, a.Choose(y, x, z, BreakLong), z, BreakLong),
		"(x && y) == z":       a.Binary(Eq, a.All(x, y), z),
		"x && y && z && x":    a.All(x, a.All(y, z), x),
		"(x | y) & (y | z)":   a.Binary(And, a.Binary(Or, x, y), a.Binary(Or, y, z)),
	} {
		require.Equal(t, want, printed(e))
	}
}

// Signs follow IEEE 1364-2005, 5.5.
func TestSigns(t *testing.T) {
	var a Arena
	s, u := a.Name([]byte("s")), a.Name([]byte("u"))
	s.Signed = true
	for _, e := range []*Expr{a.Binary(Add, s, s), a.Map(Minus, s), a.Map(Invert, s), a.Binary(Shr, s, u), a.Choose(u, s, s, BreakLong), a.ToSigned(u)} {
		require.True(t, e.Signed, printed(e))
	}
	for _, e := range []*Expr{a.Binary(Add, s, u), a.Binary(Lt, s, s), a.Select(s, 0, 3, 8), a.Concat(s, s), a.Choose(s, s, u, BreakLong), a.Unary(Not, s), a.ToUnsigned(s)} {
		require.False(t, e.Signed, printed(e))
	}
}

// An arena that is off makes nothing; one that is reset uses its memory again.
func TestArena(t *testing.T) {
	var a Arena
	for range 3 {
		long := a.Name([]byte("x"))
		for range 1000 {
			long = a.Concat(long, a.Name([]byte("y")))
		}
		require.Equal(t, "{x"+strings.Repeat(",y", 1000)+"}", strings.NewReplacer(" ", "", "\n", "").Replace(printed(a.Concat(flatten(long)...))))
		require.Len(t, a.exprs, 2002/chunk+1)
		a.Reset()
	}
	a.Off = true
	require.Equal(t, Later, a.Binary(Add, a.Name(nil), a.Literal(bits.Zero(3))).Kind)
}

func flatten(e *Expr) []*Expr {
	if e.Kind != Concat {
		return []*Expr{e}
	}
	return append(flatten(e.Args[0]), e.Args[1])
}

// Statements stand as a designer writes them.
func TestStatements(t *testing.T) {
	var a Arena
	name := func(s string) *Expr { return a.Name([]byte(s)) }
	set := func(to, v string) Stmt { return Stmt{Target: name(to), Value: name(v)} }
	var b bytes.Buffer
	o := Printer{W: &b}
	o.Stmts([]Stmt{
		{Kind: If, Cond: name("rst"), Then: []Stmt{set("x", "a")}, Else: []Stmt{
			{Kind: If, Cond: name("en"), Note: "here", Then: []Stmt{set("x", "b"), set("y", "c")}, Else: []Stmt{
				{Kind: Case, Cond: name("state"), Arms: []Arm{
					{Keys: []*Expr{name("IDLE"), name("DONE")}, Body: []Stmt{set("x", "d")}},
					{Keys: []*Expr{name("RUN")}, Body: []Stmt{{Kind: If, Cond: name("go"), Then: []Stmt{set("x", "e")}}}},
					{Comment: "and codes without a name"},
				}},
			}},
		}},
		{Kind: Directive, Text: "`ifdef YOSYS"},
		{Kind: If, Cond: name("bad"), Then: []Stmt{{Kind: Block, Note: "end", Then: []Stmt{
			{Kind: Do, Text: `$display("%d"`, Close: ")", Args: []*Expr{name("x")}}, {Kind: Do, Text: "$finish"}}}}},
		{Target: name("z"), Value: name("x"), Blocking: true},
	}, 2)
	o.Flush()
	require.Equal(t, `  if (rst) x <= a;
  else if (en) begin  // here
    x <= b;
    y <= c;
  end else begin
    case (state)
      IDLE, DONE: x <= d;
      RUN: if (go) x <= e;
      // and codes without a name
      default: ;
    endcase
  end
`+"`ifdef YOSYS"+`
  if (bad) begin
    $display("%d", x);
    $finish;
  end  // end
  z = x;
`, b.String())
}
