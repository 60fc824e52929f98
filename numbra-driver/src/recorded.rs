//! Recorded code, ready to be called: what turns objects of the host into values, and back.

use crate::compile::load;
use crate::options::Options;
use crate::session::Session;
use crate::tier2::Tier;
use numbra_lir::Linkage;
use numbra_lower::cranelift::{self, THUNK, thunk};
use numbra_lower::jit::LoadedArtifact;
use std::sync::Arc;

/// A function of recorded code.
pub struct Callable {
    code: LoadedArtifact,
}

impl Callable {
    /// The address of the function behind a thunk, `i32 (void* results, const void* args)`: see
    /// [`thunk`]. It is there as long as this value.
    pub fn address(&self) -> Option<*const u8> {
        self.code.address(THUNK)
    }
}

impl Session {
    /// Compiles a module of LIR that exports one function, and loads it.
    ///
    /// # Errors
    /// The text is no module, exports nothing, or names a symbol that nobody has.
    pub fn callable(
        &self,
        text: &str,
        symbols: &(dyn Fn(&str) -> Option<*const u8> + Sync),
    ) -> Result<Callable, String> {
        let (mut code, _) = numbra_lir::text::read(text).map_err(|e| e.to_string())?;
        let failed = |error: crate::CompileError| {
            let first = error.diagnostics.first();
            first.map_or_else(String::new, |first| first.message.clone())
        };
        // Not with the thunk, which hands references over in memory that nobody counts.
        self.optimise(&mut code).map_err(failed)?;
        self.optimise_for(&mut code, Tier::Cranelift)
            .map_err(failed)?;
        let mut exported = code.functions.iter();
        let exported = exported.find(|(_, decl)| decl.linkage == Linkage::Export);
        let (root, decl) = exported.ok_or("recorded code exports nothing")?;
        let mut module = thunk(&decl.name, &decl.sig);
        let target = module.functions.keys().next();
        let target = target.ok_or("a thunk that calls nothing")?;
        module.functions[target].linkage = Linkage::Local;
        module.absorb(code, root, target);
        let options = self.codegen_options(&Options::default());
        let artifact = cranelift::compile(&module, &options).map_err(|e| e.to_string())?;
        let code = load(Arc::new(artifact), symbols).map_err(failed)?;
        Ok(Callable { code })
    }
}
