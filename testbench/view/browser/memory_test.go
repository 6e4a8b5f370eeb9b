package browser

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/rv32i"
)

// A selected memory has its box among its neighbours and its words in the source's place, while the
// other panels show what they did.
func TestMemory(t *testing.T) {
	p := open(t, live(t, rv32i.Core{Words: 64, Program: []uint32{0x00100093}}), "sel=ram&waves=pc")
	p.shows(1, "ram")
	require.Equal(t, "memory ram", eval[string](p, "document.querySelector('svg .box.chosen title').textContent"))
	require.Greater(t, eval[int](p, "document.querySelectorAll('svg .edge.lit').length"), 1)
	require.Equal(t, "ram", p.text("#file"))
	require.Contains(t, p.text("#code"), "words 0 to 63 of 64")
	require.Contains(t, p.text("#code div"), "0x100093")
	require.Positive(t, eval[int](p, "document.querySelectorAll('#tree div').length"))
	require.NotEmpty(t, p.text(row("pc")+" .now"))
	p.shot("memory")
}

// An answer that fails leaves the other panels as they would be, and its text in its own.
func TestFailure(t *testing.T) {
	panels := map[string]string{"schematic": "#drawing", "source": "#code", "waves": "#rows", "values": "#message"}
	p := open(t, live(t, rv32i.Core{Words: 64}), "sel=pc&waves=pc")
	eval[bool](p, `(window.real = window.fetch, true)`)
	for failing, place := range panels {
		eval[bool](p, fmt.Sprintf(`(window.fetch = (to, how) => to.startsWith('api/%s?')
			? Promise.resolve(new Response('{"error": "no %s today"}')) : real(to, how), true)`, failing, failing))
		p.key("c")
		require.Contains(t, p.text(place), "no "+failing+" today")
		require.Equal(t, "no "+failing+" today", p.text("#message"))
		for _, other := range panels {
			require.NotEmpty(t, p.text(other), "%s without %s", other, failing)
		}
		require.Positive(t, eval[int](p, "document.querySelectorAll('#tree div').length"))
	}
	eval[bool](p, `(window.fetch = real, true)`)
	p.key("c")
	require.Empty(t, p.text("#message"))
	require.Positive(t, eval[int](p, "document.querySelectorAll('svg .box').length"))
}
