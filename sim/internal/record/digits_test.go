package record

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// AppendDigits is what math/big prints.
func TestAppendDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for bits := range 300 {
		value := make([]uint64, (bits+63)/64)
		x := new(big.Int)
		for i := range value {
			value[i] = r.Uint64()
			x.Or(x, new(big.Int).Lsh(new(big.Int).SetUint64(value[i]), uint(64*i)))
		}
		x.And(x, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1)))
		want := ""
		if bits > 0 {
			want = fmt.Sprintf("%0*b", bits, x)
		}
		require.Equal(t, "x"+want, string(AppendDigits([]byte("x"), value, bits)))
	}
}
