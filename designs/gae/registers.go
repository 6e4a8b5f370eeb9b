package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/axi"
)

// Registers are the words of the host port, at the places that [model.Register] names.
func (a Accelerator) Registers() axi.Map { return registersOf(a.System) }

// Registers are the words of the host port, as [Accelerator.Registers]: the clock of the core
// changes no address.
func (a TwoClocks) Registers() axi.Map { return registersOf(a.System) }

func registersOf(s model.System) axi.Map {
	// Short constructors, so that the table below has a line per register.
	load, set := s.Defaults()
	f, row := s.Format(), rowBits(s)
	in := func(name, doc string) axi.Register {
		return axi.Register{Name: name, Access: axi.Command, Doc: doc}
	}
	status := func(name string, bits int, doc string) axi.Register {
		return axi.Register{Name: name, Access: axi.Status, Bits: bits, Doc: doc}
	}
	count := func(name, doc string) axi.Register {
		return axi.Register{Name: "clipped_" + name, Access: axi.Counter, Doc: doc + "; until clear.counters"}
	}
	number := func(name string, bits, reset int, doc string) axi.Register {
		return axi.Register{Name: name, Access: axi.Setting, Bits: bits, Reset: int64(reset), Doc: doc}
	}
	fixed := func(name string, bits, fraction int, reset int64, doc string) axi.Register {
		return axi.Register{Name: name, Access: axi.Setting, Bits: bits, Signed: true, Fraction: fraction, Reset: reset, Doc: doc}
	}
	result := func(name, doc string) axi.Register {
		return axi.Register{Name: name, Access: axi.Status, Bits: s.ResultBits(), Signed: true, Doc: doc}
	}
	flags := func(r axi.Register, names ...string) axi.Register {
		r.Flags = names
		return r
	}

	regs := axi.Map{
		model.RewardIn: in("reward_in", "r of the coming push_step or measure, S15.16"),
		model.ValueIn:  in("value_in", "V, S15.16"),
		model.BootIn:   in("boot_in", "X, S15.16: the value after a cut"),
		model.PushStep: flags(in("push_step", "the step joins the vector that has begun"), "term", "cut"),
		model.Measure:  in("measure", "the step joins the statistics"),
		model.Begin:    in("begin", "a vector of so many steps begins; status.fits, row and base tell where"),
		model.Start:    in("start", "drain all rows"),
		model.Settle:   in("settle", "set means, scales and mantissas by the statistics"),
		model.Clear:    flags(in("clear", "clears the statistics; counters, errors and a vector that lacks steps"), "statistics", "counters"),
		model.Fetch:    in("fetch", "row · 65536 + address: advantage and return show the result that is stored there"),

		model.Status: flags(status("status", 5, "rows are being drained or their last results stored; the last start is finished; there was room for the last begin; "+
			"a row had more truncated vectors than its stack holds; a step without a vector, or a vector or start inside another: until clear.counters"),
			"draining", "done", "fits", "boot_overflow", "out_of_sequence"),
		model.RowOut:       status("row", row, "of the last begin"),
		model.BaseOut:      status("base", depthBits(s), "address of the vector's first step"),
		model.AdvantageOut: result("advantage", "of the last fetch, in units of advantage_step"),
		model.ReturnOut:    result("return", "of the last fetch, in units of return_step"),
		model.Cycles:       status("cycles", axi.DataBits, "from the last start, its own cycle included, to done"),

		model.ClippedReward:          count("reward", "rewards saturated on loading"),
		model.ClippedValue:           count("value", "values saturated on loading"),
		model.ClippedBoot:            count("boot", "bootstrap values saturated on loading"),
		model.ClippedData:            count("data", "rewards and values saturated when they were restored"),
		model.ClippedDelta:           count("delta", "temporal differences saturated"),
		model.ClippedAdvantage:       count("advantage", "advantages saturated"),
		model.ClippedReturn:          count("return", "returns saturated"),
		model.ClippedStoredAdvantage: count("stored_advantage", "advantages saturated when they were stored"),
		model.ClippedStoredReturn:    count("stored_return", "returns saturated when they were stored"),

		model.RewardMean:     fixed("reward_mean", model.Input.Width, 0, load.Reward.Mean, "subtracted from rewards, S15.16"),
		model.RewardMantissa: number("reward_mantissa", model.MantissaBits, int(load.Reward.Mantissa), "(reward - mean) · mantissa · 2^-shift is its code"),
		model.RewardShift:    number("reward_shift", normShiftBits, load.Reward.Shift, "see reward_mantissa"),
		model.ValueMean:      fixed("value_mean", model.Input.Width, 0, load.Value.Mean, "subtracted from values, S15.16"),
		model.ValueMantissa:  number("value_mantissa", model.MantissaBits, int(load.Value.Mantissa), "(value - mean) · mantissa · 2^-shift is its code"),
		model.ValueShift:     number("value_shift", normShiftBits, load.Value.Shift, "see value_mantissa"),
		model.RewardScale:    fixed("reward_scale", f.Width, f.Frac, set.RewardScale, "a stored reward times this, plus reward_offset, is restored"),
		model.RewardOffset:   fixed("reward_offset", f.Width, f.Frac, set.RewardOffset, "see reward_scale"),
		model.ValueScale:     fixed("value_scale", f.Width, f.Frac, set.ValueScale, "a stored value times this, plus value_offset, is restored"),
		model.ValueOffset:    fixed("value_offset", f.Width, f.Frac, set.ValueOffset, "see value_scale"),
		model.DataShift:      number("data_shift", stepBits, set.Shift, "data is divided by 2^data_shift when it is loaded"),
		model.AdvantageStep:  number("advantage_step", stepBits, set.AdvantageStep, "a stored advantage has units of 2^advantage_step LSBs of data"),
		model.ReturnStep:     number("return_step", stepBits, set.ReturnStep, "a stored return has units of 2^return_step LSBs of data"),
		model.SendCount:      in("send_count", "results of the coming send"),
		model.Send:           in("send", "as fetch: so many results from there on leave by the stream, one a cycle"),
	}

	if s.HasStatistics() {
		regs[model.Count] = status("count", countBits, "steps in the statistics of rewards")
	}
	return regs
}

// rowBits and depthBits are the widths of a row's number and of an address in it.
func rowBits(s model.System) int   { return hw.AddressOf(s.Rows).Width() }
func depthBits(s model.System) int { return hw.AddressOf(s.Depth).Width() }
