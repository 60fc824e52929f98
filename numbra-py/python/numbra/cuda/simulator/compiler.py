"""Names of ``numba.cuda.compiler`` for code that imports them: the simulator compiles nothing."""


def _refuse(name):
    def function(*args, **kwargs):
        raise RuntimeError(f"{name} is not supported in the simulator, which compiles nothing")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Raises a RuntimeError: the simulator compiles nothing."
    return function


compile = _refuse("compile")
compile_for_current_device = _refuse("compile_for_current_device")
compile_ptx = _refuse("compile_ptx")
compile_ptx_for_current_device = _refuse("compile_ptx_for_current_device")
compile_all = _refuse("compile_all")
declare_device_function = _refuse("declare_device_function")


def run_frontend(func, *args, **kwargs):
    """Nothing: the simulator has no intermediate code."""


class DefaultPassBuilder:
    """Builds no passes."""

    define_nopython_lowering_pipeline = staticmethod(_refuse("define_nopython_lowering_pipeline"))
    define_typed_pipeline = staticmethod(_refuse("define_typed_pipeline"))


class CompilerBase:
    """The base of user-defined compilers."""

    def __init__(self, *args, **kwargs):
        _refuse("CompilerBase")()


PassManager = _refuse("PassManager")
