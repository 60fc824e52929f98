//! Types of which a value says nothing: constants, classes, modules, functions.

use super::{Leaves, Model};
use crate::lowering::error::Res;
use crate::lowering::function::{Fx, Val};
use numbra_ir::{Types, kinds};
use numbra_lir::Value;

impl Model for kinds::None<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(false))
    }
}

impl Model for kinds::Literal<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(self.value.truth()))
    }
}

impl Model for kinds::Omitted<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, _: &Val) -> Res<Value> {
        Ok(fx.bool(self.value.truth()))
    }
}

impl Model for kinds::DType<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }
}

impl Model for kinds::Ellipsis<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::SliceLiteral<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::Function<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::Module<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::NumberClass<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::TypeRef<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::Class<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::ExceptionClass<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::ExceptionInstance<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}

impl Model for kinds::Dispatcher<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }

    fn is_object(&self, _: &Types) -> bool {
        true
    }
}

impl Model for kinds::Closure<'_> {
    fn leaves(&self, _: &mut Leaves<'_>) -> Result<(), String> {
        Ok(())
    }
}
