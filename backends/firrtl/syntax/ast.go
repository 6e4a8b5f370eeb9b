package syntax

// Name is an index of Circuit.Names; 0 is the empty name.
type Name int32

// Expr is an index of Circuit.Exprs, 0 for none.
type Expr int32

// Stmt is an index of Circuit.Stmts, 0 for none.
type Stmt int32

// Type is an index of Circuit.Types, 0 for none.
type Type int32

// Info is an index of Circuit.Infos, 0 for none.
type Info int32

// Version is the version line of a file, zero if there is none.
type Version struct{ Major, Minor, Patch int }

// AtLeast reports whether v is major.minor or later.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// Circuit is a parsed file. Row 0 of the row slices is unused, so that index 0 means none.
type Circuit struct {
	File    string
	Version Version
	Name    Name
	Line    int32
	Modules []Module
	Aliases []AliasDecl
	Layers  []Name // names of layers, nested ones as in "A.B"
	Notes   []Note
	// Annotations is the JSON between %[ and ], with its inner brackets.
	Annotations string
	AnnoLine    int32

	Names  []string
	Exprs  []ExprRow
	Args   []Expr // arguments of primitive operations and commands
	Stmts  []StmtRow
	Types  []TypeRow
	Fields []Field
	Ports  []Port
	Mems   []Mem
	Params [][]Param // of intrinsics
	Infos  []Locator
}

// AliasDecl gives a type a name.
type AliasDecl struct {
	Name Name
	Type Type
	Line int32
}

// Note reports something that was left out of the circuit.
type Note struct {
	Line int32
	Text string
}

// Locator is the first position in an @[…].
type Locator struct {
	File Name
	Line int32
}

// ModuleKind tells how a module is declared.
type ModuleKind uint8

// The kinds of module.
const (
	Ordinary  ModuleKind = iota
	External             // extmodule
	Intrinsic            // intmodule
)

// Module is a module with its ports Circuit.Ports[FirstPort:LastPort].
type Module struct {
	Kind                ModuleKind
	Public              bool
	Name                Name
	DefName             string // External: name in Verilog; Intrinsic: the intrinsic; "" as the module
	FirstPort, LastPort int32
	Params              []Param
	Body                Stmt
	Line                int32
	Info                Info
}

// Param is a parameter of an external module. Its value is written as Verilog.
type Param struct{ Name, Value string }

// Port is a port of a module.
type Port struct {
	Name   Name
	Output bool
	Type   Type
	Line   int32
	Info   Info
}

// TypeKind is the form of a type.
type TypeKind uint8

// The forms of types.
const (
	NoType     TypeKind = iota
	UInt                // Width
	SInt                // Width
	Clock               //
	Reset               // synchronous or asynchronous, to be inferred
	AsyncReset          //
	Analog              // Width
	Bundle              // fields Circuit.Fields[First:First+N]
	Vector              // N elements of Elem
	Enum                // variants Circuit.Fields[First:First+N], Type 0 for one without data
	Alias               // Name
	Probe               // of Elem
	Property            // carries no hardware
)

// Unknown is the width of a type that is to be inferred.
const Unknown = -1

// TypeRow is a type. Width is in bits, or Unknown.
type TypeRow struct {
	Kind  TypeKind
	Width int32
	Elem  Type
	Name  Name
	First int32
	N     int32
	Line  int32
}

// Field is a field of a bundle or a variant of an enumeration.
type Field struct {
	Name Name
	Flip bool
	Type Type
}

// ExprKind is the form of an expression.
type ExprKind uint8

// The forms of expressions.
const (
	NoExpr        ExprKind = iota
	Ref                    // A: Name
	SubField               // A: Expr, B: Name
	SubIndex               // A: Expr, B: number
	SubAccess              // A: Expr, B: Expr
	Literal                // Signed, A: width or Unknown, B: Name of the digits as written, D: 1 if in quotes
	Mux                    // A, B, C: Expr
	ValidIf                // A, B: Expr
	Prim                   // Op, Circuit.Args[A:A+N], C and D: its numbers
	EnumValue              // A: Type, B: Name of the variant, C: Expr or 0
	Read                   // of a probe: A: Expr
	NoHardware             // a property
	ProbeOf                // a probe of A: Expr
	IntrinsicExpr          // A: Name, B: Type or 0, Circuit.Args[C:C+N], parameters Circuit.Params[D]
)

// ExprRow is an expression as a row of Circuit.Exprs. Kind gives A, B, C, D and N their meaning,
// see the table of kinds.
type ExprRow struct {
	Kind    ExprKind
	Op      Op
	Signed  bool
	Line    int32
	A, B, C int32
	D, N    int32
}

// StmtKind is the form of a statement.
type StmtKind uint8

// The forms of statements.
const (
	Skip          StmtKind = iota
	Wire                   // Name, Type
	Node                   // Name, A: value
	Reg                    // Name, Type, A: clock, B: reset or 0, C: its value
	Inst                   // Name, D: Name of the module
	Memory                 // Name, D: index of Circuit.Mems
	CMem                   // Name, D: index of Circuit.Mems, of which it has Type, Depth and Under
	SMem                   // Name, D: as of CMem
	MPort                  // Name, Sub: a Direction, D: Name of the memory, A: address, B: clock
	Connect                // A: sink, B: source
	Partial                // A: sink, B: source; by common fields
	Invalidate             // A
	When                   // A: condition, B and C: first Stmt of either branch
	Match                  // A: enumeration, B: first of its Case statements
	Case                   // Name of the variant, D: Name of the binder or 0, B: first Stmt
	Attach                 // Circuit.Args[A:A+N]
	Stop                   // A: clock, B: condition, D: code
	Printf                 // A: clock, B: condition, Format, Circuit.Args[C:C+N]
	Assert                 // A: clock, B: predicate, D: enable, Format, Circuit.Args[C:C+N]
	Assume                 // as Assert
	Cover                  // as Assert, without arguments
	Force                  // of a probe, D: Name of the statement: refused
	LayerBlock             // B: first Stmt; only functionality that hardware does not have
	Define                 // of a probe, A: Expr, B: Expr; A 0: of a property, no hardware
	IntrinsicStmt          // A: an IntrinsicExpr without a type
)

// Direction is the access that a CHIRRTL port declares.
type Direction uint8

// The directions of a CHIRRTL port.
const (
	Infer Direction = iota // inferred from its uses
	ReadPort
	WritePort
	ReadWritePort
)

// Under is the result of a memory read when the same word is written at the same edge.
type Under uint8

// The read-under-write behaviours.
const (
	Undefined Under = iota
	Old
	New
)

// StmtRow is a statement.
type StmtRow struct {
	Kind    StmtKind
	Sub     Direction
	Line    int32
	Name    Name
	Type    Type
	A, B, C int32
	D, N    int32
	Format  Name // text of a format, escapes undone
	Info    Info
	Next    Stmt
}

// Mem is a memory with its ports.
type Mem struct {
	Type                        Type
	Depth                       int
	ReadLatency, WriteLatency   int
	Under                       Under
	Readers, Writers, ReadWrite []Name
}
