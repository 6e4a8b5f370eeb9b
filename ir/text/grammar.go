package text

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The lines of the text as structs for participle, the same as the EBNF in doc.go. An
// absent token has kind 0.

type line struct {
	Node     *nodeLine     `parser:"@@"`
	Port     *portLine     `parser:"| @@"`
	Reg      *regLine      `parser:"| @@"`
	Memory   *memoryLine   `parser:"| @@"`
	Init     *initLine     `parser:"| @@"`
	Read     *readLine     `parser:"| @@"`
	Write    *writeLine    `parser:"| @@"`
	Instance *instanceLine `parser:"| @@"`
	Net      *netLine      `parser:"| @@"`
	Drive    *driveLine    `parser:"| @@"`
	Stmt     *stmtLine     `parser:"| @@"`
	Unused   *unusedLine   `parser:"| @@"`
	Extern   *externLine   `parser:"| @@"`
	Attr     *attrLine     `parser:"| @@"`
	Module   *moduleLine   `parser:"| @@"`
	End      lexer.Token   `parser:"| @'}'"`
	File     *fileLine     `parser:"| @@"`
	Enum     *enumLine     `parser:"| @@"`
	Top      *topLine      `parser:"| @@"`
	Header   *headerLine   `parser:"| @@"`
}

type headerLine struct {
	Version lexer.Token `parser:"'etch' @Int"`
}

type fileLine struct {
	Index lexer.Token `parser:"'file' @Int"`
	Path  lexer.Token `parser:"@Text"`
}

type enumLine struct {
	Name  lexer.Token `parser:"'enum' @(Name | Text) '{'"`
	Codes []*codePair `parser:"( @@ ( ',' @@ )* )? '}'"`
}

type codePair struct {
	Name lexer.Token `parser:"@(Name | Text)"`
	Code lexer.Token `parser:"'=' @Int"`
}

type topLine struct {
	Name lexer.Token `parser:"'top' @(Name | Text)"`
}

type moduleLine struct {
	Name   lexer.Token `parser:"'module' @(Name | Text)"`
	Origin lexer.Token `parser:"( 'origin' @Text )? '{'"`
	At     lexer.Token `parser:"@At?"`
}

type externLine struct {
	Name   lexer.Token   `parser:"'extern' @(Name | Text)"`
	Model  bool          `parser:"@'model'?"`
	Files  []*textToken  `parser:"( 'file' @@ )*"`
	Params []*paramToken `parser:"( 'param' @@ )*"`
}

type textToken struct {
	Text lexer.Token `parser:"@Text"`
}

type paramToken struct {
	Name  lexer.Token `parser:"@(Name | Text)"`
	Value lexer.Token `parser:"@Text"`
}

type shape struct {
	Width lexer.Token `parser:"':' @Int"`
	Type  *typeName   `parser:"@@?"`
}

type typeName struct {
	Basic lexer.Token `parser:"@( 'uint' | 'sint' | 'bool' | 'clock' | 'reset' | 'asyncreset' )"`
	Frac  lexer.Token `parser:"| 'fixed' @Int"`
	Float *floatType  `parser:"| 'float' @@"`
	Enum  *reference  `parser:"| 'enum' @@"`
}

type floatType struct {
	Exp  lexer.Token `parser:"@Int"`
	Frac lexer.Token `parser:"@Int"`
	Top  lexer.Token `parser:"@( 'ieee' | 'onlynan' | 'finite' )"`
}

type reference struct {
	Name lexer.Token `parser:"@(Name | Text)"`
	Nth  lexer.Token `parser:"( '#' @Int )?"`
}

type portLine struct {
	Dir   lexer.Token `parser:"@( 'input' | 'output' | 'inout' )"`
	Name  lexer.Token `parser:"@(Name | Text)"`
	Shape shape       `parser:"@@"`
	Node  lexer.Token `parser:"( '=' @Node )?"`
	At    lexer.Token `parser:"@At?"`
	Tail  *tail       `parser:"@@?"`
}

// tail is the end of a line: positions of values, and a path in a bundle.
type tail struct {
	Set  []lexer.Token `parser:"';' ( 'set' @( At+ ) )?"`
	Path lexer.Token   `parser:"( 'path' @(Name | Text) )?"`
}

type nodeLine struct {
	ID       lexer.Token   `parser:"@Node"`
	Name     lexer.Token   `parser:"@(Name | Text)?"`
	Shape    shape         `parser:"@@"`
	Op       lexer.Token   `parser:"'=' @Name"`
	Operands []lexer.Token `parser:"@( ( Node | Value | Int | Name | Text | '#' )* )"`
	Arms     []*arm        `parser:"( '{' @@ ( ',' @@ )* '}' )?"`
	At       lexer.Token   `parser:"@At?"`
	Tail     *tail         `parser:"@@?"`
}

type arm struct {
	Key  lexer.Token `parser:"@( Value | 'else' )"`
	Node lexer.Token `parser:"':' @Node"`
}

type regLine struct {
	Node  lexer.Token `parser:"'reg' @Node"`
	Next  lexer.Token `parser:"'next' @Node"`
	Clk   lexer.Token `parser:"'clk' @Node"`
	Async bool        `parser:"( ( @'async'"`
	Latch bool        `parser:"  | @'latch' )?"`
	Rst   lexer.Token `parser:"'rst' @Node"`
	Reset lexer.Token `parser:"'reset' @Node )?"`
	Init  lexer.Token `parser:"( 'init' @Node )?"`
	Tail  *tail       `parser:"@@?"`
}

type memoryLine struct {
	Name  lexer.Token `parser:"'memory' @(Name | Text)"`
	Depth lexer.Token `parser:"':' @Int"`
	Width lexer.Token `parser:"'x' @Int"`
	Type  *typeName   `parser:"@@?"`
	Style lexer.Token `parser:"( 'style' @(Name | Text) )?"`
	At    lexer.Token `parser:"@At?"`
}

type initLine struct {
	Words []lexer.Token `parser:"'init' @( Value* )"`
}

type readLine struct {
	Name  lexer.Token `parser:"'read' @(Name | Text)"`
	Node  lexer.Token `parser:"@Node"`
	Clk   lexer.Token `parser:"'clk' @Node"`
	Addr  lexer.Token `parser:"'addr' @Node"`
	En    lexer.Token `parser:"( 'en' @Node )?"`
	Under lexer.Token `parser:"'under' @( 'old' | 'new' | 'undefined' )"`
	At    lexer.Token `parser:"@At?"`
}

type writeLine struct {
	Name lexer.Token `parser:"'write' @(Name | Text)"`
	Clk  lexer.Token `parser:"'clk' @Node"`
	Addr lexer.Token `parser:"'addr' @Node"`
	Data lexer.Token `parser:"'data' @Node"`
	En   lexer.Token `parser:"( 'en' @Node )?"`
	Mask lexer.Token `parser:"( 'mask' @Node )?"`
	At   lexer.Token `parser:"@At?"`
}

type instanceLine struct {
	Name  lexer.Token `parser:"'instance' @(Name | Text)"`
	Of    lexer.Token `parser:"'of' @(Name | Text) '{'"`
	Conns []*conn     `parser:"( @@ ( ',' @@ )* )? '}'"`
	At    lexer.Token `parser:"@At?"`
	Tail  *tail       `parser:"@@?"`
}

type conn struct {
	Port lexer.Token `parser:"@(Name | Text)"`
	Node lexer.Token `parser:"@Node"`
}

type netLine struct {
	Node lexer.Token `parser:"'net' @Node"`
	Pull lexer.Token `parser:"( 'pull' @( 'up' | 'down' ) )?"`
}

type driveLine struct {
	Value lexer.Token `parser:"'drive' @Node"`
	En    lexer.Token `parser:"'en' @Node"`
	At    lexer.Token `parser:"@At?"`
}

type unusedLine struct {
	Nodes []lexer.Token `parser:"'unused' @( Node+ )"`
}

type stmtLine struct {
	Kind   lexer.Token   `parser:"@( 'assert' | 'assume' | 'cover' | 'print' | 'stop' )"`
	Name   lexer.Token   `parser:"@(Name | Text)"`
	Clk    lexer.Token   `parser:"'clk' @Node"`
	En     lexer.Token   `parser:"( 'en' @Node )?"`
	Cond   lexer.Token   `parser:"( 'cond' @Node )?"`
	Code   lexer.Token   `parser:"( 'code' @Int )?"`
	Format lexer.Token   `parser:"( 'format' @Text"`
	Args   []lexer.Token `parser:"@( Node* ) )?"`
	At     lexer.Token   `parser:"@At?"`
}

type attrLine struct {
	Of    attrTarget  `parser:"'attr' @@"`
	Name  lexer.Token `parser:"@Name"`
	Value lexer.Token `parser:"@Text"`
}

type attrTarget struct {
	Node   lexer.Token `parser:"@Node"`
	Module lexer.Token `parser:"| @'module'"`
	Port   lexer.Token `parser:"| 'port' @(Name | Text)"`
	Memory *reference  `parser:"| 'memory' @@"`
	Inst   *reference  `parser:"| 'instance' @@"`
}

// grammar is built when the first text is parsed.
var grammar = sync.OnceValue(func() *participle.Parser[line] {
	return participle.MustBuild[line](participle.Lexer(definition{}), participle.UseLookahead(0))
})
