// Package checkpoint reads trained weightless networks as their authors' scripts
// and libraries save them and converts them to the project's model format.
//
// [Open] reads the two containers, PyTorch's zip (.pt, .pth) and .safetensors,
// into named tensors; [Convert] makes a [model.Model] of a checkpoint in one of
// the [Layouts]: controllers of sac.py, ddpg.py and ppo.py, networks of torch_dwn
// and of difflogic. The parts that the file does not hold are given as [Options]:
//
//	ck, err := checkpoint.Open("model_sac_Hopper-v4_1024_63_1_6.pth")
//	defer ck.Close()
//	m, err := checkpoint.Convert(ck, checkpoint.Options{
//		Bits: 63, SensorBits: 12, SensorMax: max, ActionScale: []float64{1},
//	})
//
// A .pt file is a zip of one pickle and the tensors' raw storages. Unpickling
// runs programs by design; this reader is a machine for the few opcodes that
// tensors, dictionaries, lists, numpy arrays and instances of classes need, and
// nothing is ever called. Calls are re-stated here for a fixed list of names; of
// an instance only the attributes are kept, so that a whole nn.Module reads like
// its state dictionary and a version string beside the tensors does no harm. Any
// other call or opcode is an error. Its memory is bounded: the pickle by a size limit, the tensors by
// being read where they lie in the file, in pieces. Compressed zip records,
// which PyTorch never writes, are refused, so a small file cannot unfold into a
// large one. Checksums are not compared, for PyTorch can be told to write none.
//
// The package imports designs/dwc/model and the standard library, nothing else.
package checkpoint
