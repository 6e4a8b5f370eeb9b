package plot

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a picture.
const (
	width  = 18 * vg.Centimeter
	height = 10 * vg.Centimeter
)

// colours are told apart by readers who do not see all colours as others do, too (a
// palette of Okabe and Ito's).
var colours = []color.NRGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {230, 159, 0, 255}, {0, 0, 0, 255}, {150, 130, 0, 255},
}

// dashes tell lines apart that share a colour.
var dashes = [][]vg.Length{nil, {vg.Points(5), vg.Points(3)}, {vg.Points(1.5), vg.Points(2)}}

// SVG draws the figure. It fails if a line has no points, NaN, or bands and axes
// that do not fit.
func (f Figure) SVG() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	p := plot.New()
	f.frame(p)

	// Bands first, so that every line lies on top of them.
	for i := range f.Lines {
		if err := f.Lines[i].band(p, i); err != nil {
			return nil, fmt.Errorf("plot: %w", err)
		}
	}
	for i := range f.Lines {
		if err := f.Lines[i].draw(p, i); err != nil {
			return nil, fmt.Errorf("plot: %w", err)
		}
	}

	if f.LogX { // of one X gonum would make an axis that begins at or below 0
		p.X.Min, p.X.Max = f.limits()
		if p.X.Min == p.X.Max {
			p.X.Min, p.X.Max = p.X.Min/2, p.X.Max*2
		}
	}

	picture := vgsvg.New(width, height)
	paper := draw.New(picture)
	paper.SetColor(color.White)
	paper.Fill(paper.Rectangle.Path())
	// The margins leave room for fonts wider than the one that gonum measures by.
	p.Draw(draw.Crop(paper, vg.Points(4), vg.Points(-16), vg.Points(4), vg.Points(-6)))

	var b bytes.Buffer
	if _, err := picture.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("plot: %w", err)
	}
	// A reader without that font should get its like.
	return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,sans-serif;")), nil
}

// frame sets title, axes, legend and grid.
func (f *Figure) frame(p *plot.Plot) {
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.Title, f.X, f.Y
	styles := []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle}
	for _, s := range styles {
		s.Font.Variant = "Sans"
		s.Font.Size = vg.Points(9)
	}
	p.Title.TextStyle.Font.Size = vg.Points(11)
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = f.LegendTop, f.LegendLeft
	p.Legend.Padding = vg.Points(2)

	// Offsets of the legend count from its corner inwards.
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(-6), vg.Points(6)
	if f.LegendLeft {
		p.Legend.XOffs = -p.Legend.XOffs
	}
	if f.LegendTop {
		p.Legend.YOffs = -p.Legend.YOffs
	}

	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	if f.LogX {
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = plot.LogTicks{Prec: -1}
	}

	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
}

func points(x, y []float64) plotter.XYs {
	xy := make(plotter.XYs, len(x))
	for i := range x {
		xy[i].X, xy[i].Y = x[i], y[i]
	}
	return xy
}

// band adds the line's band, if it has one.
func (l *Line) band(p *plot.Plot, at int) error {
	if len(l.Low) == 0 {
		return nil
	}

	// The band's outline: along the lower limits and back along the upper ones.
	outline := points(l.X, l.Low)
	back := points(l.X, l.High)
	for i := len(back) - 1; i >= 0; i-- {
		outline = append(outline, back[i])
	}

	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}

	// Translucent, so that of two bands that overlap both are seen.
	c := colours[at%len(colours)]
	c.A = 40
	area.Color, area.LineStyle.Width = c, 0
	p.Add(area)
	return nil
}

// draw adds the line and its entry in the legend.
func (l *Line) draw(p *plot.Plot, at int) error {
	line, marks, err := plotter.NewLinePoints(points(l.X, l.Y))
	if err != nil {
		return err
	}

	// A line beyond the number of colours takes an earlier one's colour, with other dashes.
	line.Color, line.Width = colours[at%len(colours)], vg.Points(1.5)
	line.Dashes = dashes[at/len(colours)%len(dashes)]
	p.Add(line)
	thumbs := []plot.Thumbnailer{line}
	if l.Marks || len(l.X) == 1 { // a line of one point cannot be seen
		marks.Color, marks.Shape, marks.Radius = line.Color, draw.CircleGlyph{}, vg.Points(2.5)
		p.Add(marks)
		thumbs = append(thumbs, marks)
	}
	p.Legend.Add(l.Name+"  ", thumbs...)
	return nil
}
