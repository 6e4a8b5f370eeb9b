package syntax

// StmtKind is the form of a statement.
type StmtKind uint8

const (
	// Assign is Target = Value;
	Assign StmtKind = iota
	// If is if (Cond) Then else Else.
	If
	// Case is case (Cond), Arms, endcase.
	Case
	// Block is begin Then end.
	Block
	// Do is the call of a task: Text, then Args and Close.
	Do
	// Directive is Text on a line of its own, such as `ifdef YOSYS.
	Directive
)

// Stmt is a statement of an always or initial block. The fields that a form uses stand at
// its StmtKind.
type Stmt struct {
	Kind          StmtKind
	Blocking      bool   // Assign: by =, not <=
	Note          string // a comment at the end of its first line; of a Block, of its last
	Target, Value *Expr
	*Body         // of all but Assign, of which a design has the most
}

// Body is the parts of a statement that is no assignment.
type Body struct {
	Text, Close string
	Cond        *Expr
	Then, Else  []Stmt
	Arms        []Arm
	Args        []*Expr
}

// Arm is the statements of a case for some keys; without keys it is the default.
type Arm struct {
	Comment string // a line above it
	Keys    []*Expr
	Body    []Stmt
}

// NewIf is an if without an else.
func NewIf(cond *Expr, then ...Stmt) Stmt {
	return Stmt{Kind: If, Body: &Body{Cond: cond, Then: then}}
}

// NewBlock is statements between begin and end.
func NewBlock(note string, list ...Stmt) Stmt {
	return Stmt{Kind: Block, Note: note, Body: &Body{Then: list}}
}

// NewTask is the call of a task, with arguments between text and end.
func NewTask(note, text, end string, args ...*Expr) Stmt {
	return Stmt{Kind: Do, Note: note, Body: &Body{Text: text, Close: end, Args: args}}
}

// NewDirective is a directive of the compiler.
func NewDirective(text string) Stmt { return Stmt{Kind: Directive, Body: &Body{Text: text}} }

// isLine reports whether a statement can stand on the line of its condition.
func (s *Stmt) isLine() bool { return s.Kind == Assign || s.Kind == Do || s.Kind == Block }

// Stmts prints statements, each on lines of its own.
func (o *Printer) Stmts(list []Stmt, indent int) {
	for i := range list {
		if list[i].Kind == Directive {
			// A directive begins at the margin.
			o.Line(0, list[i].Text)
			continue
		}
		o.Indent(indent)
		o.Stmt(&list[i], indent)
	}
}

// Stmt prints a statement on a line that has begun.
func (o *Printer) Stmt(s *Stmt, indent int) {
	switch s.Kind {
	case Assign:
		o.assign(s, indent)
	case If:
		o.Str("if (")
		o.Expr(s.Cond, indent)
		o.Ch(')')
		o.branch(s.Note, s.Then, indent, len(s.Else) > 0)
		o.elseBranch(s.Else, indent)

	case Case:
		o.caseOf(s, indent)
	// The note of a block stands behind its end, where the statement ends.
	case Block:
		o.Str("begin")
		o.NL()
		o.Stmts(s.Then, indent+2)
		o.Indent(indent)
		o.Str("end")
		o.End(s.Note)

	case Do:
		o.call(s, indent)
	}
}

func (o *Printer) assign(s *Stmt, indent int) {
	o.Expr(s.Target, indent)
	if s.Blocking {
		o.Str(" = ")
	} else {
		o.Str(" <= ")
	}
	o.Expr(s.Value, indent)
	o.Ch(';')
	o.End(s.Note)
}

// call prints $display("…", x, y): Text ends with the first argument.
func (o *Printer) call(s *Stmt, indent int) {
	o.Str(s.Text)
	for _, x := range s.Args {
		o.Ch(',')
		o.Wrap(indent + 4)
		o.Expr(x, indent+2)
	}
	o.Str(s.Close + ";")
	o.End(s.Note)
}

// branch prints the statements below a condition. With more, it leaves its last line open
// for an else.
func (o *Printer) branch(note string, list []Stmt, indent int, more bool) {
	// A single assignment stays on the line of its condition.
	if len(list) == 1 && list[0].isLine() {
		o.Ch(' ')
		o.Stmt(&list[0], indent)
		if more {
			o.Indent(indent)
		}
		return
	}

	o.Str(" begin")
	o.End(note)
	o.Stmts(list, indent+2)
	o.Indent(indent)
	o.Str("end")
	if more {
		o.Ch(' ')
	} else {
		o.NL()
	}
}

// elseBranch prints an else part, if there is one. An if in it continues on the line of the
// else.
func (o *Printer) elseBranch(list []Stmt, indent int) {
	switch {
	case len(list) == 0:
	case len(list) == 1 && list[0].Kind == If:
		o.Str("else ")
		o.Stmt(&list[0], indent)
	default:
		o.Str("else")
		o.branch("", list, indent, false)
	}
}

// caseOf prints a case with its arms.
func (o *Printer) caseOf(s *Stmt, indent int) {
	o.Str("case (")
	o.Expr(s.Cond, indent)
	o.Ch(')')
	o.End(s.Note)
	for i := range s.Arms {
		o.arm(&s.Arms[i], indent+2)
	}
	o.Line(indent, "endcase")
}

func (o *Printer) arm(a *Arm, indent int) {
	if a.Comment != "" {
		o.Line(indent, "// "+a.Comment)
	}
	o.Indent(indent)
	for i, k := range a.Keys {
		if i > 0 {
			o.Ch(',')
			o.Wrap(indent + 2)
		}
		o.Expr(k, indent)
	}

	if len(a.Keys) == 0 {
		o.Str("default")
	}
	o.Ch(':')
	o.armBody(a.Body, indent)
}

// armBody prints the statements of an arm. A lone if stays on its line, unless an else
// would seem to belong to another arm.
func (o *Printer) armBody(list []Stmt, indent int) {
	switch {
	case len(list) == 0:
		// An empty arm is a null statement.
		o.Str(" ;")
		o.NL()
	case len(list) == 1 && list[0].Kind == If && len(list[0].Else) == 0:
		o.Ch(' ')
		o.Stmt(&list[0], indent)
	default:
		o.branch("", list, indent, false)
	}
}
