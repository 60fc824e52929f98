//! One module taken into another.

use crate::{FuncRef, InstKind, Linkage, Module};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;

impl Module {
    /// Takes in another module, whose functions become local ones, but for imports, of which each is there once. The body
    /// of its function `root` becomes that of our function `target`, which has the same signature.
    pub fn absorb(&mut self, other: Module, root: FuncRef, target: FuncRef) {
        let mut names: FxHashSet<String> = (self.functions.values().map(|f| f.name.clone()))
            .chain(self.data.values().map(|d| d.name.clone()))
            .collect();
        let mut unique = |name: &str| {
            let mut found = name.to_owned();
            let mut number = 1;
            while !names.insert(found.clone()) {
                number += 1;
                found = format!("{name}.{number}");
            }
            found
        };
        let data_names: Vec<(String, String)> = (other.data.values())
            .map(|data| (data.name.clone(), unique(&data.name)))
            .collect();
        let mut functions: PrimaryMap<FuncRef, FuncRef> = PrimaryMap::new();
        for (func, decl) in &other.functions {
            let mut ours = self.functions.iter();
            let known =
                ours.find(|(_, known)| known.linkage == Linkage::Import && known.name == decl.name);
            let known = known.map(|(at, _)| at);
            let at = match decl.linkage {
                _ if func == root => target,
                Linkage::Import => known.unwrap_or_else(|| {
                    // The name is a symbol's.
                    unique(&decl.name);
                    self.functions.push(decl.clone())
                }),
                _ => {
                    let mut decl = decl.clone();
                    decl.name = unique(&decl.name);
                    decl.linkage = Linkage::Local;
                    self.functions.push(decl)
                }
            };
            functions.push(at);
        }
        let function_names: Vec<(String, String)> = (other.functions.iter())
            .map(|(func, decl)| {
                let ours = self.functions[functions[func]].name.clone();
                (decl.name.clone(), ours)
            })
            .collect();
        let mut data = PrimaryMap::new();
        for (at, one) in &other.data {
            let mut one = one.clone();
            one.name = data_names[at.as_u32() as usize].1.clone();
            for (_, symbol) in &mut one.relocs {
                let renamed = data_names.iter().chain(&function_names);
                if let Some((_, new)) = renamed.clone().find(|(old, _)| old == symbol) {
                    *symbol = new.clone();
                }
            }
            data.push(self.data.push(one));
        }
        let mut exceptions = PrimaryMap::new();
        for exception in other.exceptions.values() {
            exceptions.push(self.exceptions.push(exception.clone()));
        }
        let mut signatures = PrimaryMap::new();
        for signature in other.signatures.values() {
            signatures.push(self.signatures.push(signature.clone()));
        }
        let sig = self.functions[target].sig.clone();
        for (func, decl) in other.functions {
            let Some(mut body) = decl.body else {
                continue;
            };
            for inst in body.insts.values_mut() {
                match &mut inst.kind {
                    InstKind::DataAddr(at) => *at = data[*at],
                    InstKind::FuncAddr(at) | InstKind::Call { func: at, .. } => {
                        *at = functions[*at];
                    }
                    InstKind::CallIndirect { sig, .. } => *sig = signatures[*sig],
                    InstKind::SetError { exception, .. } => *exception = exceptions[*exception],
                    _ => {}
                }
            }
            if func == root {
                body.sig = sig.clone();
            }
            self.functions[functions[func]].body = Some(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::interp::{Arg, Executor, InterpreterExecutor, LirValue};
    use crate::text::parse;
    use crate::verify::{Phase, verify};
    use crate::{FuncDecl, FuncRef, Module};

    fn function(module: &Module, name: &str) -> FuncRef {
        let mut all = module.functions.iter();
        all.find(|(_, decl)| decl.name == name)
            .expect("it has the function")
            .0
    }

    /// Both have a function `helper`, data `table` and an exception.
    #[test]
    fn names_and_numbers_are_those_of_the_whole() {
        let text = |root: &str, item: &str| {
            format!(
                "module \"m\"
exception exc0 = \"builtins.ValueError\"(\"'{root}'\") in \"{root}\"
data $table align 8 = \"{item}00000000000000\"

function export @{root}(i64) -> (i64) raises {{
block0(v0: i64):
  v1 = call @helper(v0)
  v2: i64 = iconst 0
  v3 = icmp ne v0, v2
  guard v3 check, block1, block2
block1:
  return v1
block2 cold:
  set_error exc0()
  fail
}}

function local @helper(i64) -> (i64) {{
block0(v0: i64):
  v1: ptr = data_addr $table
  v2: i64 = load v1 const align 8
  v3 = iadd v0, v2
  return v3
}}
"
            )
        };
        let mut ours = parse(&text("f", "05")).expect("it is a module");
        let other = parse(&text("g", "07")).expect("it is a module");
        let root = function(&other, "g");
        let target = ours.functions.push(FuncDecl {
            name: "target".to_owned(),
            ..other.functions[root].clone()
        });
        ours.absorb(other, root, target);
        assert_eq!(verify(&ours, Phase::Built), Ok(()));
        let run = |module: &Module, name: &str| {
            let args = [Arg::Value(LirValue::i64(10))];
            let outcome = InterpreterExecutor::default().run(module, function(module, name), &args);
            format!("{:?}", outcome.expect("it runs"))
        };
        assert!(run(&ours, "f").contains("15"), "{}", run(&ours, "f"));
        assert!(
            run(&ours, "target").contains("17"),
            "{}",
            run(&ours, "target")
        );
    }
}
