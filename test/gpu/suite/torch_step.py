#!/usr/bin/env python3
"""torch_step.py PROF: a PyTorch training step without probes, by torch.profiler and by prof: the sums of kernel times within
2%, the same ten longest kernels.  Without an argument it is the program that is measured."""
import csv
import io
import os
import subprocess
import sys

STEPS = 20


def train(profiled):
    import torch
    from torch.profiler import ProfilerActivity, profile

    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(1024, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 1024)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(256, 1024, device="cuda")

    def steps():
        for _ in range(STEPS):
            torch.cuda.nvtx.range_push("step")
            optimizer.zero_grad()
            model(data).square().mean().backward()
            optimizer.step()
            torch.cuda.nvtx.range_pop()
        torch.cuda.synchronize()

    steps()
    if not profiled:
        steps()
        return
    with profile(activities=[ProfilerActivity.CUDA]) as result:
        steps()
    for event in result.events():
        if event.device_type == torch.autograd.DeviceType.CUDA and not event.name.startswith(("Memcpy", "Memset")):
            print(f"{event.time_range.elapsed_us() * 1000:.0f}\t{event.name}")


def main():
    prof = sys.argv[1]
    theirs = {}
    lines = subprocess.run([sys.executable, __file__, "--torch"], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in lines.splitlines():
        if "\t" in line:
            time, name = line.split("\t")
            theirs[name] = theirs.get(name, 0) + int(time)
    subprocess.run([prof, "record", "--gpu=on", "-o", "data-torch", sys.executable, __file__, "--plain"], check=True)
    table = subprocess.run([prof, "gpu", "-i", "data-torch", "--format=csv"], check=True, stdout=subprocess.PIPE, text=True).stdout
    ours = {row["name"]: int(row["total_ns"]) / 2 for row in csv.DictReader(io.StringIO(table))}  # two rounds of steps
    ours = {name: time for name, time in ours.items() if name in theirs}
    apart = sum(ours.values()) / sum(theirs.values()) - 1
    longest = [sorted(times, key=times.get, reverse=True)[:10] for times in (ours, theirs)]
    print(f"sum of kernel times {apart:+.2%} of torch.profiler's; ten longest {'the same' if longest[0] == longest[1] else 'differ'}")
    return 0 if abs(apart) <= 0.02 and longest[0] == longest[1] else 1


if len(sys.argv) > 1 and sys.argv[1] in ("--torch", "--plain"):
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    train(sys.argv[1] == "--torch")
else:
    sys.exit(main())
