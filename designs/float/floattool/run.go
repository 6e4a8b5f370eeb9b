package floattool

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/float"
	"etch/sim"
)

// Run is the verb that puts numbers through a unit.
var Run = cli.Command{
	Name: "float", Usage: "[-p format=e5m10] [-p op=fma] [-p rounding=rne] [-p name=value]… [-waves float.fst] -in in.csv -out out.csv",
	Doc:      "puts numbers (columns a,b,c, those that the operation has; decimals or 0x codes) through a floating-point unit, cycle by cycle; out come y,value,flags; with -p flags=false the column flags is empty; with -p rounding=dynamic a column mode says how each row rounds (rne, rtz, rdn, rup, rna, or 0 to 4), with -p rounding=srN it has the N random bits that are added below the last place (0 to 2^N-1)",
	Examples: []string{"run float -p format=fp16 -p op=fma -in in.csv -out out.csv", "run float -p format=e5m10 -p op=div -p rounding=rtz -in in.csv -out out.csv"},
	Run: func(app *cli.App, args []string, out cli.Output) error {
		// The flags, and the unit that the parameters ask for.
		f := cli.NewFlags("run float", out)
		given := f.Values()
		waves := f.Waves()
		in, to := f.String("in", "", "CSV `file` of operands"), f.String("out", "", "CSV `file` of y,value,flags")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *in == "" || *to == "" {
			return cli.Usagef("-in and -out are needed")
		}
		u, err := unitOf(given)
		if err != nil {
			return err
		}

		// Results over the operands, or in a file that cannot be written, are refused before
		// anything is computed.
		if err := f.Apart([]string{"in"}, "out", "waves"); err != nil {
			return err
		}
		if err := cli.Writable(*to); err != nil {
			return err
		}

		// All rows are read and computed before the file is written: a mistake in the last row
		// leaves none.
		rows, unread, err := readOperands(*in, u)
		if err != nil {
			return err
		}
		results, err := u.compute(rows, waves)
		if err != nil {
			return cli.Parameters(err, given)
		}
		if err := cli.WriteFiles(filepath.Dir(*to), cli.File{Name: filepath.Base(*to), Data: u.table(results)}); err != nil {
			return err
		}
		if unread != nil {
			fmt.Fprintf(out.Err, "not read: column %s; %s has %s\n", strings.Join(unread, ", "), u.Op, strings.Join(u.columns(), ","))
		}
		plural := "s"
		if len(results) == 1 {
			plural = ""
		}
		fmt.Fprintf(out.Err, "%s of %v, %v: %d result%s, latency %d\n", u.Op, u.Format, u.Rounding, len(results), plural, u.Stages)
		return nil
	},
}

// columns are the names of the fields of a row: the operands, and the mode where the
// rounding takes one.
func (u Unit) columns() []string {
	names := slices.Clone(u.operation().operands)
	if u.Rounding.ModeWidth() > 0 {
		names = append(names, "mode")
	}
	return names
}

// readOperands reads the codes of a file, row by row in the order of the columns; unread are
// the columns that the operation does not have. Errors name file, line and column.
func readOperands(path string, u Unit) (rows [][]uint64, unread []string, err error) {
	// The header says where the columns are.
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	in, err := cli.CSV(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}

	want := u.columns()
	header, err := u.readHeader(in)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	last := lastLine(in, header)
	at, err := u.places(header)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: line 1: %w", path, err)
	}

	for _, name := range header {
		if !slices.Contains(want, name) {
			unread = append(unread, name)
		}
	}

	// Then a row a record. The file's own line is named, which quoted fields with line breaks make
	// another than the row's number.
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, unread, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, cli.RecordError(err, record, header))
		}

		if err := follows(in, last); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		last = lastLine(in, record)

		row := make([]uint64, len(want))
		for i, name := range want {
			if row[i], err = u.code(name, record[at[i]]); err != nil {
				line, _ := in.FieldPos(at[i])
				return nil, nil, fmt.Errorf("%s: line %d: column %s: %w", path, line, name, err)
			}
		}
		rows = append(rows, row)
	}
}

// readHeader reads the line of names.
func (u Unit) readHeader(in *csv.Reader) ([]string, error) {
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line 1: no header; want %s", strings.Join(u.columns(), ","))
	}
	if err != nil {
		return nil, err
	}
	return header, follows(in, 0)
}

// follows refuses an empty line in front of a record: the reader passes over it, and later
// results would not stand in the lines of their operands. Empty lines at the end have none.
func follows(in *csv.Reader, last int) error {
	if line, _ := in.FieldPos(0); line != last+1 {
		return fmt.Errorf("line %d: empty; want a row in every line", last+1)
	}
	return nil
}

// lastLine is the line in which a record ends: a quoted field may have line breaks.
func lastLine(in *csv.Reader, record []string) int {
	at := len(record) - 1
	line, _ := in.FieldPos(at)
	return line + strings.Count(record[at], "\n")
}

// places finds the columns in a header, in any order. Operands that other operations
// have may stand there and are not read; any other column is a mistake.
func (u Unit) places(header []string) (at []int, err error) {
	want := u.columns()
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}

	// Every operand has a column.
	for _, name := range want {
		i := slices.Index(header, name)
		if i < 0 {
			return nil, fmt.Errorf("there is no column %s; %s has %s", name, u.Op, strings.Join(want, ","))
		}
		at = append(at, i)
	}

	// No column is there twice, and none that no operation has.
	seen := map[string]bool{}
	for _, name := range header {
		if seen[name] || name != "a" && name != "b" && name != "c" && name != "mode" {
			return nil, fmt.Errorf("column %q: %s has %s", name, u.Op, strings.Join(want, ","))
		}
		seen[name] = true
	}
	return at, nil
}

// code reads a field.
func (u Unit) code(column, text string) (uint64, error) {
	text = strings.TrimSpace(text)

	// A mode is a number of the port, or its name; an operand is a code of the format or a
	// decimal.
	if column == "mode" && u.Rounding == float.Dynamic {
		return readMode(text)
	}
	if column == "mode" {
		return readCode(text, u.Rounding.ModeWidth())
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		return readCode(text, u.Format.Width())
	}
	return u.Format.Parse(text)
}

// readMode reads a static rounding, by name or RISC-V code. The port has room for more.
func readMode(text string) (uint64, error) {
	var r float.Rounding
	if r.UnmarshalText([]byte(text)) == nil && r <= float.NearestAway {
		return uint64(r), nil
	}
	if v, err := readCode(text, 64); err == nil && v <= uint64(float.NearestAway) {
		return v, nil
	}
	return 0, fmt.Errorf("%q is no rounding: want rne, rtz, rdn, rup, rna, or 0 to 4", text)
}

// readCode reads an integer of so many bits.
func readCode(text string, width int) (uint64, error) {
	v, err := strconv.ParseUint(text, 0, 64)
	if err != nil || strings.Contains(text, "_") {
		return 0, fmt.Errorf("%q is not a code such as 0x3c00", text)
	}
	if width < 64 && v>>width != 0 {
		return 0, fmt.Errorf("%s has more than %d bits", text, width)
	}
	return v, nil
}

// outcome is a result.
type outcome struct {
	y     uint64
	flags uint64
}

// compute feeds a row in every cycle.
func (u Unit) compute(rows [][]uint64, waves *cli.Waves) (results []outcome, err error) {
	d, err := u.Build()
	if err != nil {
		return nil, err
	}

	// The design's simulator, with waves if they are asked for. Whatever ends the run closes them
	// whole.
	s, err := sim.New(d)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	ctx, free := cli.Interruptible()
	defer free()
	if err := waves.Trace(s); err != nil {
		return nil, err
	}
	defer func() { err = waves.Close(cli.Interrupted(ctx, err)) }()

	in, y, flags, err := u.signals(s)
	if err != nil {
		return nil, err
	}

	// A row goes in with every cycle; its result is there Stages cycles later. A unit without
	// registers has no clock: its result is there at once.
	for at := range len(rows) + u.Stages {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("interrupted at row %d: no results are written, waves are of the cycles until then", at+1)
		}
		if at < len(rows) {
			for i, sig := range in {
				s.Set(sig, rows[at][i])
			}
		}
		if u.Stages > 0 {
			s.Step(1)
		}

		if at+1 >= max(u.Stages, 1) && len(results) < len(rows) {
			results = append(results, outcome{s.Get(y), s.Get(flags)})
		}
	}
	return results, s.Err()
}

// signals finds the operands, in the order of the columns, and the results. Ports that the
// operation has beside them are set, and stand still.
func (u Unit) signals(s *sim.Sim) (in []sim.Signal, y, flags sim.Signal, err error) {
	find := func(name string) (sig sim.Signal) {
		if err == nil {
			sig, err = s.Signal(name)
		}
		return sig
	}

	// Inputs go by their names; the unit's mode is an element of a list.
	for _, name := range u.columns() {
		if name == "mode" {
			name = "mode_0"
		}
		in = append(in, find(name))
	}

	y, flags = find("y"), find("flags")
	en := find("en")
	if err != nil {
		return nil, y, flags, err
	}
	s.Set(en, 1)
	for name, v := range u.operation().set {
		s.Set(find(name), v)
	}
	return in, y, flags, nil
}

// table is the results as CSV.
func (u Unit) table(results []outcome) []byte {
	var text bytes.Buffer

	// Codes have all digits of the format's width, flags two. A unit without flags has none to
	// tell: 00 would say that nothing was raised.
	w := csv.NewWriter(&text)
	w.Write([]string{"y", "value", "flags"})
	f := u.result()
	for _, r := range results {
		flags := ""
		if u.Flags {
			flags = fmt.Sprintf("%02x", r.flags)
		}
		w.Write([]string{fmt.Sprintf("0x%0*x", (f.Width()+3)/4, r.y), decimal(f, r.y), flags})
	}
	w.Flush()
	return text.Bytes()
}

// decimal is the value of a code: the shortest decimal that is nearer to it than to
// any other float64, so that nothing is lost.
func decimal(f float.Format, code uint64) string {
	return strconv.FormatFloat(f.Float64(code), 'g', -1, 64)
}
