package bits

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestText(t *testing.T) {
	rng := newRand(13)
	for _, w := range widths {
		for _, x := range sample(rng, w, 40) {
			v := value(x, w)
			equal(t, x.Text(16), v.Hex())
			equal(t, "<"+x.Text(16), string(v.AppendHex([]byte("<"))))
			equal(t, x.Text(10), v.Dec())
			equal(t, fmt.Sprintf("%d'h%x", w, x), v.String())
			bin := ""
			if w > 0 {
				bin = fmt.Sprintf("%0*b", w, x)
			}
			equal(t, bin, v.Bin())
			for _, s := range []string{v.String(), fmt.Sprintf("%d'd%s", w, v.Dec()), fmt.Sprintf("%d'b%b", w, x), fmt.Sprintf("%d'b%0*b", w, max(w, 1), x)} {
				got, err := Parse(s)
				equal(t, nil, err)
				check(t, got, w, x, "Parse", s)
			}
			for _, verb := range []string{"h%x", "d%d", "b%b"} {
				_, err := Parse(fmt.Sprintf("%d'"+verb, w, new(big.Int).Add(x, pow2(w))))
				equal(t, true, strings.Contains(fmt.Sprint(err), "does not fit in"), err)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", `bits: "" is not WIDTH'hDIGITS`},
		{"255", `bits: "255" is not WIDTH'hDIGITS`},
		{"8'", `bits: "8'" is not WIDTH'hDIGITS`},
		{"8'h", `bits: "8'h" is not WIDTH'hDIGITS`},
		{"'hff", `bits: "'hff" has a bad width: it has no digits`},
		{"08'hff", `bits: "08'hff" has a bad width: it has leading zeros`},
		{"-8'hff", `bits: "-8'hff" has a bad width: it has '-' where a digit of base 10 (lower case) belongs`},
		{"8'off", `bits: "8'off" has a base other than h, b and d`},
		{"8'hFF", `bits: "8'hFF" has 'F' where a digit of base 16 (lower case) belongs`},
		{"8'h0f", `bits: "8'h0f" has leading zeros`},
		{"8'h00", `bits: "8'h00" has leading zeros`},
		{"8'd007", `bits: "8'd007" has leading zeros`},
		{"8'hf_f", `bits: "8'hf_f" has '_' where a digit of base 16 (lower case) belongs`},
		{"8'b102", `bits: "8'b102" has '2' where a digit of base 2 (lower case) belongs`},
		{"8'd1a", `bits: "8'd1a" has 'a' where a digit of base 10 (lower case) belongs`},
		{"8'h100", `bits: "8'h100" does not fit in 8 bits`},
		{"7'h80", `bits: "7'h80" does not fit in 7 bits`},
		{"8'd256", `bits: "8'd256" does not fit in 8 bits`},
		{"3'b0001", `bits: "3'b0001" does not fit in 3 bits`},
		{"0'h1", `bits: "0'h1" does not fit in 0 bits`},
		{"0'b1", `bits: "0'b1" does not fit in 0 bits`},
		{"0'd1", `bits: "0'd1" does not fit in 0 bits`},
		{"16777217'h0", `bits: "16777217'h0" is wider than 16777216 bits`},
		{"99999999999999999999'h0", `bits: "99999999999999999999'h0" is wider than 16777216 bits`},
		{"8'h1\xff", `bits: "8'h1\xff" has 'ÿ' where a digit of base 16 (lower case) belongs`},
	} {
		_, err := Parse(c.in)
		equal(t, c.want, fmt.Sprint(err))
	}
	_, err := Parse("8'h" + strings.Repeat("f", 1<<20))
	equal(t, true, strings.Contains(fmt.Sprint(err), "... (1048579 bytes) does not fit in 8 bits"), err)
	equal(t, true, len(err.Error()) < 120)
}

// TestParseWidest reads the widest numbers there are, which must not take
// quadratic time.
func TestParseWidest(t *testing.T) {
	v := Ones(MaxWidth).SetBit(5, 0)
	for _, s := range []string{v.String(), fmt.Sprintf("%d'b%s", MaxWidth, v.Bin())} {
		u, err := Parse(s)
		equal(t, nil, err)
		equal(t, true, u.Equal(v))
	}
	const w = MaxWidth / 8 // the oracle below is slow, too
	v = v.Slice(0, w)
	s := fmt.Sprintf("%d'd%s", w, v.Dec())
	start := time.Now()
	u, err := Parse(s)
	equal(t, nil, err)
	equal(t, true, u.Equal(v))
	t.Logf("%d decimal digits read in %v", len(s), time.Since(start))
}

// TestDecimal covers numbers of several chunks of digits.
func TestDecimal(t *testing.T) {
	rng := newRand(17)
	lengths := []int{1, 1999, 2000, 2001, 4000, 6000, 8000, 10000}
	for n := 2100; n < 20_000; n += 1 + rng.IntN(400) {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		digits := []byte("1")
		for range n - 1 {
			digits = append(digits, '0'+byte(rng.IntN(10)))
		}
		for _, s := range []string{string(digits), "1" + strings.Repeat("0", n-1)} {
			want, _ := new(big.Int).SetString(s, 10)
			got, err := Parse("70000'd" + s)
			equal(t, nil, err)
			check(t, got, 70000, want, "Parse", n)
		}
	}
}

// FuzzParse: what is accepted is what its canonical text reads back as, and
// hexadecimal is accepted in its canonical form alone.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"8'hff", "0'h0", "1'b1", "8'b00001111", "64'd18446744073709551615", "65'h1ffffffffffffffff", "129'd0", "8'h100", "", "'", "8'x1", "16777216'h1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Parse(s)
		if err != nil {
			if len(err.Error()) > 400 {
				t.Fatalf("a long error: %v", err)
			}
			return
		}
		num, rest, _ := strings.Cut(s, "'")
		base := map[byte]int{'h': 16, 'b': 2, 'd': 10}[rest[0]]
		want, ok := new(big.Int).SetString(rest[1:], base)
		if !ok {
			t.Fatalf("accepted %q", s)
		}
		check(t, v, v.Width(), want, s)
		if fmt.Sprint(v.Width()) != num || want.BitLen() > v.Width() {
			t.Fatalf("accepted %q as width %d", s, v.Width())
		}
		if base == 16 && v.String() != s {
			t.Fatalf("accepted %q, canonical %q", s, v)
		}
	})
}
