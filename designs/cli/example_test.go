package cli_test

import (
	"os"

	"etch/designs/cli"
	"etch/hw"
)

// Blink inverts LED every Period cycles.
type Blink struct{ Period int }

// BlinkPorts are the ports of [Blink].
type BlinkPorts struct{ LED hw.Bit }

func (b Blink) Ports() BlinkPorts { return BlinkPorts{LED: hw.Out(hw.Bit{})} }

// Build describes the body.
func (b Blink) Build(m *hw.Module, p BlinkPorts) {
	led := hw.Reg(m, "led", hw.Bit{}, hw.B(false))
	timer := hw.Reg(m, "timer", hw.AddressOf(b.Period), hw.U(0))
	wrap := timer.Is(b.Period - 1).Named("wrap")
	timer.Set(hw.Mux(wrap, timer.Lit(0), timer.Inc()))
	m.When(wrap, func() { led.Set(led.Not()) })
	p.LED.Set(led)
}

// A main calls cli.Main(app); here its Run is called as "report blink" would.
func Example() {
	app := cli.App{Name: "blink", Designs: []cli.Design{
		cli.Component("blink", "inverts an LED", Blink{Period: 100}),
	}}
	app.Run([]string{"report", "blink", "-p", "period=1000", "-yosys=false"}, cli.Output{Out: os.Stdout, Err: os.Stderr})
	// Output:
	// blink: 1 modules, 0 instances
	// ops 5, registers 2 (11 bits), memories 0 (0 bits), logic depth 2 ops
	//   add       1
	//   eq        1
	//   mux       2
	//   not       1
}
