"""Functions of one element each, applied to numbers and arrays as ufuncs."""

import numpy as np
from rows import elementwise


@elementwise(np.heaviside, loops="ff->f dd->d", out=True)
def heaviside(x1, x2):
    """0 where ``x1`` is negative, ``x2`` where it is 0, 1 where it is positive; NaN stays."""
    if x1 < 0:
        return 0.0
    if x1 > 0:
        return 1.0
    if x1 == 0:
        return x2
    return x1


@elementwise(np.fix, loops="?->? b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d", out=True)
def fix(x):
    """``x`` rounded towards 0."""
    return np.trunc(x)
