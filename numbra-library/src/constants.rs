//! Constants of modules, for hosts without Python.

use numbra_ir::Const;

/// A module's constant by qualified name: `math.pi`, `numpy.newaxis`.
pub fn constant(name: &str) -> Option<Const> {
    use std::f64::consts;
    let (module, short) = name.split_once('.')?;
    let value = match (module, short) {
        ("math" | "cmath" | "numpy", "pi") => consts::PI,
        ("math" | "cmath" | "numpy", "e") => consts::E,
        ("math" | "cmath", "tau") => consts::TAU,
        ("math" | "cmath" | "numpy", "inf") => f64::INFINITY,
        ("math" | "cmath" | "numpy", "nan") => f64::NAN,
        // OEIS A001620.
        ("numpy", "euler_gamma") => 0.577_215_664_901_532_9,
        ("cmath", "infj") => return Some(Const::Complex(0, f64::INFINITY.to_bits())),
        ("cmath", "nanj") => return Some(Const::Complex(0, f64::NAN.to_bits())),
        ("numpy", "newaxis") => return Some(Const::None),
        ("numpy", "True_") => return Some(Const::Bool(true)),
        ("numpy", "False_") => return Some(Const::Bool(false)),
        _ => return None,
    };
    Some(Const::float(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_and_unknown() {
        assert_eq!(
            constant("math.pi"),
            Some(Const::float(std::f64::consts::PI))
        );
        assert_eq!(constant("numpy.newaxis"), Some(Const::None));
        assert_eq!(constant("numpy.tau"), None);
        assert_eq!(constant("pi"), None);
    }
}
