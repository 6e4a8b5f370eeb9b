package syntax

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog/internal/names"
	"etch/ir/bits"
)

var table = func() *names.Table { t := &names.Table{}; t.Reset(8); return t }()
var ids = map[string]names.ID{}

// sym is the name s, one for equal texts.
func sym(s string) names.ID {
	if ids[s] == 0 {
		ids[s], _ = table.Add([]byte(s))
	}
	return ids[s]
}

// printed is the text of an expression.
func printed(e *Expr) string {
	var b bytes.Buffer
	o := Printer{W: &b, Names: table}
	o.Expr(e, 0)
	o.Flush()
	return b.String()
}

// Brackets stand where Verilog or a reader needs them, and nowhere else.
func TestBrackets(t *testing.T) {
	var a Arena
	x, y, z := a.Name(sym("x"), 0), a.Name(sym("y"), 0), a.Name(sym("z"), 0)
	x.Width, y.Width, z.Width = 8, 8, 8
	s := a.Name(sym("s"), 0)
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
		"(x)":                 braced(a.Name(sym("x"), 0)),
		"{x[3:0], {2{y, z}}}": a.Concat(a.Select(a.Name(sym("x"), 8), 0, 4), a.Repeat(2, y, z)),
		"{{4'd0, x}, y}":      a.Concat(a.Extend(a.Literal(bits.Zero(4)), a.Select(a.Name(sym("x"), 4), 0, 4)), y),
		"f(x, y[7])":          a.Call(sym("f"), a.Name(sym("x"), 0), a.Select(a.Name(sym("y"), 8), 7, 1)),
		"mem[x + y]":          a.Index(sym("mem"), a.Binary(Add, a.Name(sym("x"), 0), a.Name(sym("y"), 0)), 8),
		"8'hff":               a.Literal(bits.Ones(8)),
		"-8'sd3":              a.SignedLiteral(bits.New(8, 253)),
		"$signed(8'd128)":     a.SignedLiteral(bits.New(8, 128)),
		"16'h00ff":            a.Table(bits.New(16, 255)),
		"$unsigned(s)":        a.ToUnsigned(s),
		"x[0] ? 1'b0 : 1'b1":  a.Choose(a.Select(a.Name(sym("x"), 8), 0, 1), a.Literal(bits.Zero(1)), a.Literal(bits.Ones(1)), BreakNever),
		"!x":                  a.Unary(Not, a.Name(sym("x"), 0)),
		"!(x == y)":           a.Unary(Not, a.Binary(Eq, x, y)),
		"{4{1'bx}}":           a.Repeat(4, a.Text("1'bx")),
		"lut2(4'h8, {x, y})":  a.Call(sym("lut2"), a.Table(bits.New(4, 8)), a.Concat(x, y)),
		"x >>> y":             a.Binary(ShrSigned, x, y),
		"(x < y) == z":        a.Binary(Eq, a.Binary(Lt, x, y), z),
		"x * y + z":           a.Binary(Add, a.Binary(Mul, x, y), z),
		"(x + y) + z":         a.Binary(Add, a.Binary(Add, x, y), z),
		"(x << y) << z":       a.Binary(Shl, a.Binary(Shl, x, y), z),
		"1'b0":                a.Literal(bits.Zero(1)),
		"{300{1'b1}}":         a.Literal(bits.Ones(300)),
		"10'd77":              a.Literal(bits.New(10, 77)),
		"x[7:4] & y":          a.Binary(And, a.Select(a.Name(sym("x"), 8), 4, 4), y),
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
	s, u := a.Name(sym("s"), 0), a.Name(sym("u"), 0)
	s.Signed = true
	for _, e := range []*Expr{a.Binary(Add, s, s), a.Map(Minus, s), a.Map(Invert, s), a.Binary(Shr, s, u), a.Choose(u, s, s, BreakLong), a.ToSigned(u)} {
		require.True(t, e.Signed, printed(e))
	}
	for _, e := range []*Expr{a.Binary(Add, s, u), a.Binary(Lt, s, s), a.Select(s, 0, 3), a.Concat(s, s), a.Choose(s, s, u, BreakLong), a.Unary(Not, s), a.ToUnsigned(s)} {
		require.False(t, e.Signed, printed(e))
	}
}

// An arena that is reset uses its memory again, and a copy shares nothing with its source.
func TestArena(t *testing.T) {
	var a Arena
	for range 3 {
		long := a.Name(sym("x"), 0)
		for range 1000 {
			long = a.Concat(long, a.Name(sym("y"), 0))
		}
		require.Equal(t, "{x"+strings.Repeat(",y", 1000)+"}", strings.NewReplacer(" ", "", "\n", "").Replace(printed(a.Concat(flatten(long)...))))
		require.Len(t, a.exprs.pieces, 2002/chunk+1)
		a.Reset()
	}

	sum := a.Binary(Add, a.Name(sym("x"), 0), a.Literal(bits.New(8, 1)))
	twin := a.Copy(sum)
	sum.Args[0].Name, sum.Args[1] = sym("z"), sum.Args[0]
	require.Equal(t, "x + 8'd1", printed(twin))
	require.Equal(t, "z + z", printed(sum))
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
	name := func(s string) *Expr { return a.Name(sym(s), 0) }
	set := func(to, v string) Stmt { return Stmt{Target: name(to), Value: name(v)} }
	var b bytes.Buffer
	o := Printer{W: &b, Names: table}
	o.Stmts([]Stmt{
		{Kind: If, Body: &Body{Cond: name("rst"), Then: []Stmt{set("x", "a")}, Else: []Stmt{
			{Kind: If, Note: "here", Body: &Body{Cond: name("en"), Then: []Stmt{set("x", "b"), set("y", "c")}, Else: []Stmt{
				{Kind: Case, Body: &Body{Cond: name("state"), Arms: []Arm{
					{Keys: []*Expr{name("IDLE"), name("DONE")}, Body: []Stmt{set("x", "d")}},
					{Keys: []*Expr{name("RUN")}, Body: []Stmt{NewIf(name("go"), set("x", "e"))}},
					{Comment: "and codes without a name"},
				}}},
			}}},
		}}},
		NewDirective("`ifdef YOSYS"),
		NewIf(name("bad"), NewBlock("end", NewTask("", `$display("%d"`, ")", name("x")), NewTask("", "$finish", ""))),
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
