package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/axi"
	"etch/hw/fixed"
)

// core is the state that the parts of [Core] share: the registers.
type core struct {
	model.System
	m        *hw.Module
	bank     *axi.Bank
	data     hw.UInt // of the request
	on       commands
	loading  Loading
	settings Settings
}

// commands are high in the cycle in which the host writes a register, whose data is in
// core.data.
type commands struct {
	rewardIn, valueIn, bootIn, sendCount    hw.Bit
	pushStep, measure, begin, start, settle hw.Bit
	fetch, send                             hw.Bit
	clearStatistics, clearCounters          hw.Bit
}

func newCore(s model.System, m *hw.Module, bank *axi.Bank) *core {
	// Every command carries the same data word; the last call's is kept.
	c := &core{System: s, m: m, bank: bank}
	command := func(name string) (now hw.Bit) {
		now, c.data = bank.Command(name)
		return now
	}

	clear := command("clear")
	c.on = commands{
		rewardIn: command("reward_in"), valueIn: command("value_in"), bootIn: command("boot_in"), sendCount: command("send_count"),
		pushStep: command("push_step"), measure: command("measure"), begin: command("begin"), start: command("start"), settle: command("settle"),
		fetch: command("fetch"), send: command("send"),
		clearStatistics: clear.And(c.data.Bit(0)), clearCounters: clear.And(c.data.Bit(1)),
	}

	// Settings live in registers of the bank, so that the host reads back the values that
	// statistics have set.
	c.loading = Loading{Reward: c.norm("reward"), Value: c.norm("value"), Shift: bank.Setting("data_shift")}
	c.settings = Settings{
		RewardScale: c.fixed("reward_scale"), RewardOffset: c.fixed("reward_offset"),
		ValueScale: c.fixed("value_scale"), ValueOffset: c.fixed("value_offset"),
		Shift:     c.loading.Shift,
		Advantage: unitOf(bank.Setting("advantage_step")), Return: unitOf(bank.Setting("return_step")),
	}
	return c
}

// fixed is a setting in the format of data.
func (c *core) fixed(name string) fixed.Num {
	return fixed.FromInt(c.bank.SignedSetting(name)).Scale(-c.Format().Frac)
}

// norm is the three settings that standardise a quantity.
func (c *core) norm(name string) Norm {
	return Norm{c.bank.SignedSetting(name + "_mean"), c.bank.Setting(name + "_mantissa"), c.bank.Setting(name + "_shift")}
}

// counter counts the bits that are high, from one clear to the next.
func (c *core) counter(name string, bits ...hw.Bit) {
	c.bank.Counter("clipped_"+name, c.on.clearCounters, bits...)
}
