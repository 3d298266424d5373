"""Writes flops.pt2 and flops.tsv: operators and what torch.utils.flop_counter counts for each. Needs PyTorch 2.13.

    python3 tests/data/make_flops.py

Each node of the exported program runs alone under FlopCounterMode. On the CPU attention is an operator that it does not know; there its
formula for the fused operators is asked directly. Products with vectors it counts as nothing: left out.
"""

import pathlib

import torch
from torch.utils import flop_counter
from torch.utils.flop_counter import FlopCounterMode

HERE = pathlib.Path(__file__).parent
F = torch.nn.functional


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(6, 5, num_layers=2, bidirectional=True, proj_size=3)
        self.gru = torch.nn.GRU(6, 5, batch_first=True)

    def forward(self, x, y, batch, image, volume, line, q, k, v):
        w2, w1, w3 = torch.ones(8, 3, 3, 3), torch.ones(8, 3, 3), torch.ones(4, 3, 2, 2, 2)
        out = [
            torch.mm(x, y),
            torch.addmm(torch.ones(5), x, y),
            torch.bmm(batch, batch.mT),
            torch.baddbmm(torch.ones(1, 4, 4), batch, batch.mT),
            x @ y,
            batch @ torch.ones(6, 7),
            torch.ones(2, 1, 4, 6) @ torch.ones(3, 6, 5),
            F.linear(batch, torch.ones(9, 6), torch.ones(9)),
            F.linear(x, torch.ones(9, 6)),
            F.conv2d(image, w2, padding=1),
            F.conv2d(image, w2, stride=2, padding=1, dilation=2),
            F.conv2d(image, w2, padding="same"),
            F.conv2d(image[0], w2),
            F.conv2d(torch.ones(2, 6, 9, 9), torch.ones(8, 3, 3, 3), groups=2),
            F.conv1d(line, w1),
            F.conv3d(volume, w3),
            F.conv_transpose2d(torch.ones(2, 8, 5, 5), w2, stride=2),
            F.conv_transpose2d(torch.ones(8, 5, 5), w2, stride=2),
            F.conv_transpose1d(torch.ones(2, 8, 5), w1, groups=2),
            torch.ops.aten.convolution(image, w2, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1),
            torch.ops.aten.convolution(torch.ones(2, 8, 5, 5), w2, None, [2, 2], [0, 0], [1, 1], True, [0, 0], 1),
            torch.ops.aten.convolution_backward(torch.ones(2, 8, 7, 7), image[:, :, :9, :9], w2, [8], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])[0],
            torch.ops.aten.convolution_backward(torch.ones(2, 8, 7, 7), image[:, :, :9, :9], w2, [8], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [False, True, False])[1],
            torch.ops.aten.convolution_backward(torch.ones(2, 3, 7, 7), torch.ones(2, 8, 5, 5), w2, [3], [1, 1], [0, 0], [1, 1], True, [0, 0], 1, [True, True, False])[0],
            F.scaled_dot_product_attention(q, k, v),
            torch.einsum("bij,bkj->bik", batch, batch),
            torch.einsum("...ij,jk->...ik", batch, torch.ones(6, 2)),
            torch.einsum("bij,bkl->bik", batch, batch),
            torch.einsum("i,j->ij", x[0], y[:, 0]),
            self.lstm(batch)[0],
            self.gru(batch)[0],
            torch.relu(x) + x,
        ]
        return tuple(out)


class Count(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.rows = []

    def run_node(self, node):
        if node.op != "call_function" or node.target is torch.ops.aten.scaled_dot_product_attention.default:
            result = super().run_node(node)
            if node.op == "call_function":
                self.rows.append((node.name, flop_counter.sdpa_flop_count(*[tuple(a.meta["val"].shape) for a in node.args[:3]])))
            return result
        with FlopCounterMode(display=False) as mode:
            result = super().run_node(node)
        self.rows.append((node.name, mode.get_total_flops()))
        return result


def main():
    torch.manual_seed(0)
    inputs = (torch.randn(4, 6), torch.randn(6, 5), torch.randn(3, 4, 6), torch.randn(2, 3, 10, 10), torch.randn(1, 3, 4, 4, 4), torch.randn(2, 3, 12),
              torch.randn(2, 4, 5, 8), torch.randn(2, 4, 7, 8), torch.randn(2, 4, 7, 6))
    model = Model().eval()
    with torch.no_grad():
        program = torch.export.export(model, inputs, strict=False)
        torch.export.save(program, HERE / "flops.pt2")
        program = torch.export.load(HERE / "flops.pt2")  # with the names of the file
        names = [s.arg.name for s in program.graph_signature.input_specs]
        values = []
        for spec in program.graph_signature.input_specs:
            if spec.kind == torch.export.graph_signature.InputKind.USER_INPUT:
                values.append(inputs[len([s for s in program.graph_signature.input_specs[: names.index(spec.arg.name)] if s.kind == spec.kind])])
            elif spec.target in program.state_dict:
                values.append(program.state_dict[spec.target])
            else:
                values.append(program.constants[spec.target])
        count = Count(program.graph_module)
        torch.backends.mkldnn.enabled = False  # else the recurrent layers are one operator that it does not know
        count.run(*values)
    (HERE / "flops.tsv").write_text("".join(f"{name}\t{flops}\n" for name, flops in count.rows))


if __name__ == "__main__":
    main()
