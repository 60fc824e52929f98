"""``numba.cuda.bf16``: the simulator has no bfloat16."""

bfloat16 = None
