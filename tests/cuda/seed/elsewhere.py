"""Rows of the checklist that other tests hold, and those that have none, with the reason."""

_COMPILED = "tests/py/cuda/test_tutorials.py"
_ROWS = "tests/py/package/test_tutorials.py"
_CASES = "tests/py/package/test_tutorial_cases.py"
_MANAGERS = "tests/py/cuda/test_host.py::test_memory_managers_of_others"
_EXTENSIONS = "needs the extension API"

#: The test that holds a row.
ELSEWHERE = {
    **{f"8.{n:03}": f"{_ROWS}::test_8_{n:03}*" for n in (1, 5, 6, 8, 10, 11, 16, 17, 18, 35)},
    **{f"8.{n}": f"{_ROWS}::test_8_{n}*" for n in (100, 101, 105, 163)},
    "8.009": "tests/figures.py --only dispatch",
    "8.034": "tests/py/functions/test_generators.py, test_objmode.py and others",
    **{f"8.{n:03}": f"{_COMPILED}::test_8_{n:03}*" for n in (7, 19, 20, 21, 22, 23, 26, 27, 28, 29, 30, 37)},
    **{f"8.{n:03}": f"{_COMPILED}::test_8_{n:03}*" for n in (58, 60, 76, 80, 85)},
    **{f"8.{n}": f"{_COMPILED}::test_8_{n}*" for n in (130, 131, 132, 133, 135, 138, 139, 140, 158, 159, 160, 170)},
    "8.012": f"{_CASES}::test_a_dict_argument_has_no_type",
    "8.013": f"{_CASES}::test_a_dict_argument_has_no_type",
    "8.014": f"{_CASES}::test_mandelbrot_is_the_image_of_the_interpreter",
    "8.031": f"{_CASES}::test_an_unknown_attribute_of_a_module",
    "8.164": "as 8.153",
    "8.205": _MANAGERS,
    "8.206": _MANAGERS,
    "8.207": _MANAGERS,
    "8.208": _MANAGERS,
    "8.212": "as 8.093",
}

#: Why a row has no test here.
WITHOUT = {
    "8.032": "the command line's annotated HTML, which is not there",
    "8.033": "lifting of loops in object mode, which is not there",
    "8.083": "needs linking of CUDA C (cuRAND)",
    "8.084": "needs linking of CUDA C (cuRAND)",
    "8.086": "needs the extension API (cuDF)",
    "8.087": "needs the extension API (cuDF)",
    "8.088": "needs the extension API and linking (PyOptiX)",
    "8.118": "notebooks that are not part of the documents",
    **{f"8.{n}": _EXTENSIONS for n in range(171, 186)},
    "8.187": _EXTENSIONS,
    "8.188": _EXTENSIONS,
    "8.203": "needs an external memory manager (RMM)",
    "8.204": "needs an external memory manager (RMM)",
    "8.209": "a specification",
    "8.210": "needs an external memory manager (RMM)",
    "8.211": "a library that is no more",
}
