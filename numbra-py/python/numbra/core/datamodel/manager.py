"""Which data model a type has."""

from numbra._named import names_of
from numbra.core.datamodel import described
from numbra.core.errors import LoweringError


class DataModelManager:
    """Models by class of types; one model for each type."""

    def __init__(self, handlers=None):
        self._handlers = {} if handlers is None else handlers
        self._models = {}

    def register(self, fetypecls, handler):
        """The class of the models of a class of types."""
        self._handlers[fetypecls] = handler
        self._models.clear()

    def lookup(self, fetype):
        """The model of a type."""
        fetype = described.defined(fetype)
        if fetype not in self._models:
            self._models[fetype] = self._make(fetype)
        return self._models[fetype]

    __getitem__ = lookup

    def has(self, fetypecls):
        """True if a class of types is registered itself."""
        return fetypecls in self._handlers

    def copy(self):
        """A manager that begins with what this one knows."""
        return DataModelManager(dict(self._handlers))

    def _make(self, fetype):
        from numbra.core.datamodel import models

        handler = self._handlers.get(type(fetype))
        if handler is None:
            # That a base of numbra's stands for anything says nothing of the classes of other people.
            for base in type(fetype).__mro__:
                found = self._handlers.get(base)
                is_said = fetype._kind is not None or "_numbra_model_" in vars(base)
                if found is not None and (is_said or not issubclass(found, models.OpaqueModel)):
                    handler = found
                    break
        if handler is not None:
            return handler(self, fetype)
        model = described.describe(fetype)
        if model is None:
            raise LoweringError(f"type {fetype} has no data model")
        is_object, fields = model
        if is_object:
            return models.ReferenceModel(self, fetype)
        return models.StructModel(self, fetype, [(name, ty) for name, ty, *_ in fields])


__getattr__ = names_of(__name__)
