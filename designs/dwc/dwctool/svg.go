package dwctool

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// bars is a bar chart: all behind, live in front.
func bars(title string, names []string, all, live []int) []byte {
	const height, left, top, bottom = 220, 50, 40, 40

	// A bar has 6 pixels at least, so that many bars widen the picture.
	step := max(6, 720/max(1, len(all)))

	most := 1
	for _, n := range all {
		most = max(most, n)
	}

	width := left + step*len(all) + 20
	y := func(n int) int { return top + height - n*height/most }

	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", width, top+height+bottom)
	fmt.Fprintf(&b, `<text x="%d" y="20">%s (grey: all, blue: of tables that are read)</text>`+"\n", left, escape(title))
	for _, tick := range []int{0, most / 2, most} {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%d</text><line x1="%d" x2="%d" y1="%d" y2="%d" stroke="#ccc"/>`+"\n",
			left-4, y(tick)+4, tick, left, width-20, y(tick), y(tick))
	}

	// Labels stand at least 60 pixels apart.
	for i := range all {
		x := left + i*step
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="#bbb"/>`, x, y(all[i]), step-1, height+top-y(all[i]))
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="#36c"/>`+"\n", x, y(live[i]), step-1, height+top-y(live[i]))
		label := fmt.Sprint(i)
		if names != nil {
			label = names[i]
		}
		if every := max(1, 60/step); i%every == 0 {
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", x+step/2, top+height+16, escape(label))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func escape(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s))
	return b.String()
}
