package lower

import "strings"

// left lists the classes of annotations that do not change the circuit's behaviour, by
// reason. The package's documentation repeats the list.
var left = map[string][]string{
	"keep or merge names and modules": {
		"firrtl.transforms.DontTouchAnnotation", "firrtl.transforms.OptimizableExtModuleAnnotation",
		"firrtl.transforms.NoDedupAnnotation", "firrtl.transforms.DedupGroupAnnotation",
		"firrtl.transforms.MustDeduplicateAnnotation", "firrtl.transforms.DedupedResult",
		"firrtl.transforms.NoConstantPropagationAnnotation", "firrtl.transforms.NoCircuitDedupAnnotation$",
		"firrtl.transforms.NoDCEAnnotation$",
		"firrtl.passes.InlineAnnotation", "firrtl.transforms.FlattenAnnotation", "firrtl.passes.FlattenAnnotation",
		"chisel3.util.experimental.ForceNameAnnotation", "chisel3.ModulePrefixAnnotation",
		"freechips.rocketchip.transforms.naming.OverrideDesiredNameAnnotation",
		"freechips.rocketchip.linting.rule.DesiredNameAnnotation",
	},
	"tell of the source": {
		"firrtl.DocStringAnnotation", "firrtl.DescriptionAnnotation",
		"chisel3.experimental.Trace$TraceAnnotation", "chisel3.experimental.Trace$TraceNameAnnotation",
		"chisel3.util.experimental.decode.DecodeTableAnnotation",
		"chisel3.experimental.EnumAnnotations$EnumComponentAnnotation", "chisel3.experimental.EnumAnnotations$EnumDefAnnotation",
		"chisel3.experimental.EnumAnnotations$EnumVecAnnotation",
		"chisel3.EnumAnnotations$EnumComponentAnnotation", "chisel3.EnumAnnotations$EnumDefAnnotation",
		"chisel3.EnumAnnotations$EnumVecAnnotation",
	},
	"say where texts of black boxes are": {
		"firrtl.transforms.BlackBoxInlineAnno", "firrtl.transforms.BlackBoxPathAnno", "firrtl.transforms.BlackBoxResourceAnno",
		"firrtl.transforms.BlackBoxTargetDirAnno", "firrtl.transforms.BlackBoxResourceFileNameAnno", "firrtl.transforms.BlackBox",
		"circt.VerbatimBlackBoxAnno", "sifive.enterprise.firrtl.SitestBlackBoxAnnotation",
		"sifive.enterprise.firrtl.SitestBlackBoxLibrariesAnnotation", "sifive.enterprise.firrtl.SitestTestHarnessBlackBoxAnnotation",
		"freechips.rocketchip.annotations.InternalVerifBlackBoxAnnotation",
	},
	"lay out files, ports and memories of the Verilog": {
		"circt.ConventionAnnotation", "circt.BodyTypeLoweringAnnotation", "circt.OutputDirAnnotation",
		"firrtl.EmitCircuitAnnotation", "firrtl.EmitAllModulesAnnotation", "firrtl.annotations.MemorySynthInit$",
		"firrtl.annotations.MemoryNoSynthInit$", "firrtl.annotations.MemoryRandomInitAnnotation",
		"firrtl.passes.clocklist.ClockListAnnotation",
		"sifive.enterprise.firrtl.ExtractAssertionsAnnotation", "sifive.enterprise.firrtl.ExtractAssumptionsAnnotation",
		"sifive.enterprise.firrtl.ExtractCoverageAnnotation", "sifive.enterprise.firrtl.ExtractBlackBoxAnnotation",
		"sifive.enterprise.firrtl.ExtractClockGatesFileAnnotation", "sifive.enterprise.firrtl.ExtractSeqMemsFileAnnotation",
		"sifive.enterprise.firrtl.AddSeqMemPortsFileAnnotation", "sifive.enterprise.firrtl.ElaborationArtefactsDirectory",
		"sifive.enterprise.firrtl.MetadataDirAnnotation", "sifive.enterprise.firrtl.ModuleHierarchyAnnotation",
		"sifive.enterprise.firrtl.TestBenchDirAnnotation", "sifive.enterprise.firrtl.TestHarnessHierarchyAnnotation",
		"sifive.enterprise.firrtl.TestHarnessPathAnnotation", "sifive.enterprise.firrtl.MarkDUTAnnotation",
		"sifive.enterprise.firrtl.InjectDUTHierarchyAnnotation", "sifive.enterprise.firrtl.RetimeModulesAnnotation",
		"sifive.enterprise.firrtl.ConvertMemToRegOfVecAnnotation$", "sifive.enterprise.firrtl.DontObfuscateModuleAnnotation",
		"sifive.enterprise.firrtl.ScalaClassAnnotation", "sifive.enterprise.firrtl.NestedPrefixModulesAnnotation",
		"freechips.rocketchip.util.RetimeModuleAnnotation", "freechips.rocketchip.util.SRAMAnnotation",
	},
	"describe the chip to software": {
		"freechips.rocketchip.annotations.AddressMapAnnotation", "freechips.rocketchip.annotations.InterruptsPortAnnotation",
		"freechips.rocketchip.annotations.GlobalConstantsAnnotation", "freechips.rocketchip.annotations.GlobalInterruptsAnnotation",
		"freechips.rocketchip.annotations.ResetVectorAnnotation", "freechips.rocketchip.annotations.SRAMAnnotation",
		"freechips.rocketchip.annotations.SlaveAddressMapAnnotation", "freechips.rocketchip.annotations.SlaveAnnotation",
		"freechips.rocketchip.annotations.MasterAnnotation", "freechips.rocketchip.annotations.ParamsAnnotation",
		"freechips.rocketchip.util.AddressMapAnnotation", "freechips.rocketchip.util.ParamsAnnotation",
		"freechips.rocketchip.util.RegFieldDescMappingAnnotation", "freechips.rocketchip.util.TopModuleAnnotation",
		"freechips.rocketchip.regmapper.RegFieldDescMappingAnnotation",
		"sifive.enterprise.firrtl.ModuleHierarchyAnnotation", "freechips.rocketchip.objectmodel.OMAnnotation",
	},
	"only look": {
		"sifive.enterprise.grandcentral.ExtractGrandCentralAnnotation", "sifive.enterprise.grandcentral.GrandCentralHierarchyFileAnnotation",
		"sifive.enterprise.grandcentral.GrandCentralView$SerializedViewAnnotation", "sifive.enterprise.grandcentral.ViewAnnotation",
		"sifive.enterprise.grandcentral.PrefixInterfacesAnnotation",
		"freechips.rocketchip.omir.OMIRAnnotation", "freechips.rocketchip.objectmodel.OMIRAnnotation",
		"freechips.rocketchip.objectmodel.OMIRFileAnnotation",
	},
}

// options are the prefixes of annotations that are options of a tool's run, or of its
// replacement of memories by macros.
var options = []string{"chisel3.stage.", "chisel3.internal.stage.", "circt.stage.", "firrtl.options.", "firrtl.stage.", "firrtl.passes.memlib.",
	"barstools.tapeout.transforms.stage.", "logger."}

// changing describes the effect of known classes that are refused, for the message.
var changing = map[string]string{
	"sifive.enterprise.grandcentral.MemTapAnnotation":      "wires signals to the words of a memory",
	"sifive.enterprise.grandcentral.DataTapsAnnotation":    "wires the ports of a black box to signals elsewhere",
	"sifive.enterprise.firrtl.AddSeqMemPortAnnotation":     "adds ports to memories and modules",
	"sifive.enterprise.firrtl.DFTTestModeEnableAnnotation": "wires a test mode into clock gates",
	"firrtl.transforms.GroupAnnotation":                    "moves instances into a new module",
	"firrtl.transforms.TopWiring.TopWiringAnnotation":      "adds ports to the main module",
	"firrtl.transforms.PropagatePresetAnnotations":         "makes resets values at power-up",
	"firrtl.annotations.PresetAnnotation":                  "makes a reset a value at power-up",
	"firrtl.annotations.PresetRegAnnotation":               "makes a reset a value at power-up",
}

var leftOut = func() map[string]bool {
	all := map[string]bool{}
	for _, classes := range left {
		for _, c := range classes {
			all[c] = true
		}
	}
	return all
}()

// harmless reports whether annotations of a class leave the circuit as it is.
func harmless(class string) bool {
	if leftOut[class] {
		return true
	}
	for _, p := range options {
		if strings.HasPrefix(class, p) {
			return true
		}
	}
	return false
}
