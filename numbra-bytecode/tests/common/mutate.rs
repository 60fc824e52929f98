//! Mutations of code objects, from a seed.

use numbra_bytecode::{CodeObject, Const, F64Bits, Version};

/// xorshift64*
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        // splitmix64: neighbouring seeds give unrelated sequences, and the state is not zero.
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random((z ^ z >> 31).max(1))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n.max(1)
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// One to four changes of bytes, constants, names or tables.
pub(crate) fn mutate(code: &mut CodeObject, random: &mut Random, version: Version) {
    for _ in 0..1 + random.below(4) {
        mutate_once(code, random, version);
    }
    if random.below(8) == 0 {
        code.positions.clear();
    }
}

fn mutate_once(code: &mut CodeObject, random: &mut Random, version: Version) {
    let units = code.code.len() / 2;
    let at = random.below(units) * 2;
    let has_unit = at + 1 < code.code.len();
    match random.below(14) {
        // Another opcode, preferably a real one.
        0 | 1 => {
            let byte = random.next() as u8;
            if version.table()[byte as usize].is_some() && has_unit {
                code.code[at] = byte;
            }
        }
        2 | 3 if has_unit => code.code[at + 1] = random.next() as u8 >> random.below(8),
        4 if has_unit => code.code[at + random.below(2)] ^= 1 << random.below(8),
        // Two units change places.
        5 => {
            let other = random.below(units) * 2;
            if at.max(other) + 1 < code.code.len() {
                code.code.swap(at, other);
                code.code.swap(at + 1, other + 1);
            }
        }
        6 => code.code.truncate(random.below(code.code.len() + 1)),
        7 => {
            let part = code.code[at..(at + 2 * random.below(12)).min(code.code.len())].to_vec();
            code.code.splice(at..at, part);
        }
        8 if !code.exceptiontable.is_empty() => {
            let i = random.below(code.exceptiontable.len());
            code.exceptiontable[i] ^= 1 << random.below(8);
        }
        8 => code.exceptiontable = (0..random.below(12)).map(|_| random.next() as u8).collect(),
        9 => {
            let lists = [
                &mut code.names,
                &mut code.varnames,
                &mut code.cellvars,
                &mut code.freevars,
            ];
            if let Some(list) = lists.into_iter().nth(random.below(4)) {
                if random.below(2) == 0 {
                    list.truncate(random.below(list.len() + 1));
                } else if !list.is_empty() {
                    let (a, b) = (random.below(list.len()), random.below(list.len()));
                    list[a] = list[b].clone();
                }
            }
        }
        10 => code.stacksize = random.below(40) as u32,
        11 | 12 if !code.consts.is_empty() => {
            let i = random.below(code.consts.len());
            mutate_const(&mut code.consts[i], random, version);
        }
        13 => match random.below(4) {
            0 => code.argcount = random.below(5) as u32,
            1 => code.posonlyargcount = random.below(3) as u32,
            2 => code.kwonlyargcount = random.below(3) as u32,
            _ => {
                let bits = code.flags.bits() ^ 1 << random.below(10);
                code.flags = numbra_bytecode::CodeFlags::from_bits_retain(bits);
            }
        },
        _ => {}
    }
}

fn mutate_const(constant: &mut Const, random: &mut Random, version: Version) {
    if let Const::Code(inner) = constant
        && random.below(4) != 0
    {
        return mutate_once(inner, random, version);
    }
    if let Const::Tuple(items) = constant
        && !items.is_empty()
        && random.below(3) != 0
    {
        let i = random.below(items.len());
        return mutate_const(&mut items[i], random, version);
    }
    let ints = [0, 1, -1, 2, 3, 7, 63, 64, 255, 1 << 31, i64::MAX, i64::MIN];
    let floats = [
        0.0,
        -0.0,
        1.5,
        -2.25,
        1e308,
        5e-324,
        f64::NAN,
        f64::INFINITY,
    ];
    *constant = match random.below(10) {
        0..=2 => Const::Int(*random.pick(&ints)),
        3 => Const::Int(random.next() as i64 >> random.below(64)),
        4 | 5 => Const::Float(F64Bits::new(*random.pick(&floats))),
        6 => Const::Bool(random.below(2) == 0),
        7 => Const::None,
        8 => Const::Str((*random.pick(&["", "x", "bad", "é"])).to_owned()),
        _ => match random.below(5) {
            0 => Const::BigInt("-99999999999999999999".to_owned()),
            1 => Const::Complex(F64Bits::new(1.5), F64Bits::new(-0.0)),
            2 => Const::Tuple(vec![Const::Int(4), Const::Float(F64Bits::new(0.5))]),
            3 => Const::Ellipsis,
            _ => Const::Slice(Box::new([Const::Int(1), Const::None, Const::None])),
        },
    };
}
