//! What a program in IR means: its statements run one by one, with Python's and NumPy's rules. It shares nothing with
//! inference, lowering or the engines but the IR itself.

mod arrays;
mod operations;

use crate::kinds::{Arguments, Item};
pub(crate) use arrays::{Array, Memory};
use numbra_ir::{Block, Const, Expr, Func, ObjKind, ObjRef, Rhs, StmtKind, Var, parse_func};
use numbra_lir::interp::{Arg, Outcome};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Statements that a call may execute.
const FUEL: u64 = 1_000_000;

/// An exception, or the end of the fuel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Raised {
    pub(crate) class: String,
    /// Two arrays do not fit. Compiled code may find that where the result is read: what stands between raises first.
    late: bool,
}

impl Raised {
    pub(crate) fn new(class: &str) -> Raised {
        Raised {
            class: format!("builtins.{class}"),
            late: false,
        }
    }

    /// The ValueError of shapes that do not broadcast.
    pub(crate) fn of_shapes() -> Raised {
        Raised {
            late: true,
            ..Raised::new("ValueError")
        }
    }
}

/// A value of a variable.
#[derive(Clone)]
enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Complex(f64, f64),
    Text(String),
    Array(Array),
    /// An array without axes.
    Record(Array),
    Tuple(Vec<Value>),
    List(Rc<RefCell<Vec<Value>>>),
    Slice([Option<i64>; 3]),
    Range(i64, i64, i64),
    /// Whatever gives items.
    Iterator(Rc<RefCell<Items>>),
    Pair(Option<Box<Value>>),
    /// A class, a function or a module, by its name.
    Object(String),
    Method(Box<Value>, String),
    Exception(String),
    Item(Item),
}

/// An iterator.
enum Items {
    Range(i64, i64, i64),
    List(Rc<RefCell<Vec<Value>>>, usize),
    Text(std::vec::IntoIter<char>),
    Array(Array, usize),
    Generator(Box<Frame>),
}

/// A call that is running or waits at a yield.
struct Frame {
    function: usize,
    args: Vec<Value>,
    values: BTreeMap<Var, Value>,
    block: Block,
    at: usize,
    done: bool,
}

/// How a frame stopped.
enum Stop {
    Returned(Value),
    Yielded(Value),
}

pub(crate) struct Oracle {
    functions: Vec<Func>,
    fuel: u64,
}

impl Oracle {
    /// Of the functions of a program, the entry last.
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Oracle, String> {
        let types = numbra_ir::Types::new();
        let functions = texts.map(|text| parse_func(text, &types).map_err(|e| e.to_string()));
        Ok(Oracle {
            functions: functions.collect::<Result<_, _>>()?,
            fuel: 0,
        })
    }

    /// Calls the entry; `None` if it takes too long. Results are those of the entry's tuple, floats as bits.
    pub(crate) fn call(&mut self, arguments: &Arguments, leaves: &[Arg]) -> Option<Told> {
        self.fuel = FUEL;
        let (arrays, memories) = arguments.arrays(leaves);
        let mut args: Vec<Value> = arrays.into_iter().map(Value::Array).collect();
        for leaf in &leaves[leaves.len() - 2..] {
            if let Arg::Value(value) = leaf {
                args.push(Value::Int(value.bits() as i64));
            }
        }
        let result = self.run(self.functions.len() - 1, args);
        let mut told = Told::default();
        match result {
            Ok(Value::Tuple(items)) => {
                for item in items {
                    told.results.push(match item {
                        Value::Float(x) => Number::Float(x),
                        Value::Int(n) => Number::Int(n),
                        _ => return Some(told),
                    });
                }
            }
            Ok(_) => {}
            Err(raised) if raised.class == OUT_OF_FUEL => return None,
            Err(raised) => {
                told.raised = Some(raised.class);
                told.late = raised.late;
            }
        }
        told.buffers = memories
            .iter()
            .map(|memory| memory.borrow().clone())
            .collect();
        Some(told)
    }

    fn run(&mut self, function: usize, args: Vec<Value>) -> Result<Value, Raised> {
        let mut frame = self.frame(function, args);
        match self.resume(&mut frame)? {
            Stop::Returned(value) | Stop::Yielded(value) => Ok(value),
        }
    }

    fn frame(&self, function: usize, args: Vec<Value>) -> Frame {
        Frame {
            function,
            args,
            values: BTreeMap::new(),
            block: self.functions[function].layout[0],
            at: 0,
            done: false,
        }
    }

    /// Runs to the next yield or the end.
    fn resume(&mut self, frame: &mut Frame) -> Result<Stop, Raised> {
        let func = self.functions[frame.function].clone();
        loop {
            match self.step(&func, frame) {
                Ok(None) => {}
                Ok(Some(stop)) => {
                    frame.done = matches!(stop, Stop::Returned(_));
                    return Ok(stop);
                }
                Err(raised) => match func.blocks[frame.block].handler {
                    Some(handler) if raised.class != OUT_OF_FUEL => {
                        frame.block = handler.block;
                        frame.at = 0;
                    }
                    _ => {
                        frame.done = true;
                        return Err(raised);
                    }
                },
            }
        }
    }

    fn step(&mut self, func: &Func, frame: &mut Frame) -> Result<Option<Stop>, Raised> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Raised {
            late: false,
            class: OUT_OF_FUEL.to_owned(),
        })?;
        let inst = func.blocks[frame.block].insts[frame.at];
        let kind = &func.insts[inst].kind;
        let goto = |frame: &mut Frame, block: Block| {
            frame.block = block;
            frame.at = 0;
            Ok(None)
        };
        match kind {
            StmtKind::Jump(block) => return goto(frame, *block),
            StmtKind::Branch { cond, then, other } => {
                let truth = matches!(frame.get(*cond), Value::Bool(true));
                return goto(frame, if truth { *then } else { *other });
            }
            StmtKind::Return(value) => return Ok(Some(Stop::Returned(frame.get(*value)))),
            StmtKind::Raise(Some(exception)) => {
                let Value::Exception(class) = frame.get(*exception) else {
                    unreachable!("programs raise exceptions")
                };
                return Err(Raised { class, late: false });
            }
            StmtKind::SetItem {
                target,
                index,
                value,
            } => operations::set_item(&frame.get(*target), &frame.get(*index), &frame.get(*value))?,
            StmtKind::SetAttr {
                target,
                attr,
                value,
            } => operations::set_attribute(&frame.get(*target), attr, &frame.get(*value)),
            StmtKind::Assign { target, value } => {
                if let Rhs::Yield { value, .. } = value {
                    frame.at += 1;
                    return Ok(Some(Stop::Yielded(frame.get(*value))));
                }
                let value = self.rhs(func, frame, value)?;
                frame.values.insert(*target, value);
            }
            other => unreachable!("no program has {other:?}"),
        }
        frame.at += 1;
        Ok(None)
    }

    fn rhs(&mut self, func: &Func, frame: &Frame, rhs: &Rhs) -> Result<Value, Raised> {
        let items = |vars: &[Var]| vars.iter().map(|v| frame.get(*v)).collect::<Vec<_>>();
        Ok(match rhs {
            Rhs::Arg(n) => frame.args[*n as usize].clone(),
            Rhs::Var(var) => frame.get(*var),
            Rhs::Const(Const::None) => Value::None,
            Rhs::Const(Const::Int(n)) => Value::Int(*n),
            Rhs::Const(Const::Float(bits)) => Value::Float(f64::from_bits(*bits)),
            Rhs::Const(Const::Str(text)) => Value::Text(text.to_string()),
            Rhs::Global(obj) => object(func, *obj),
            Rhs::Expr(expr) => match expr {
                Expr::BinOp { op, lhs, rhs, .. } => {
                    operations::binary(*op, &frame.get(*lhs), &frame.get(*rhs))?
                }
                Expr::InplaceBinOp { op, lhs, rhs, .. } => {
                    operations::in_place(*op, frame.get(*lhs), &frame.get(*rhs))?
                }
                Expr::Call { func, args, .. } => self.called(frame.get(*func), items(args))?,
                Expr::BuildTuple(vars) => Value::Tuple(items(vars)),
                Expr::BuildList(vars) => Value::List(Rc::new(RefCell::new(items(vars)))),
                Expr::GetIter(value) => iterator(frame.get(*value)),
                Expr::IterNext(value) => {
                    let Value::Iterator(iterator) = frame.get(*value) else {
                        unreachable!("programs advance iterators")
                    };
                    Value::Pair(self.advance(&iterator)?.map(Box::new))
                }
                Expr::PairFirst(value) => match frame.get(*value) {
                    Value::Pair(Some(item)) => *item,
                    _ => Value::None,
                },
                Expr::PairSecond(value) => {
                    Value::Bool(matches!(frame.get(*value), Value::Pair(Some(_))))
                }
                Expr::GetAttr { value, attr } => operations::attribute(frame.get(*value), attr),
                Expr::GetItem { value, index } => {
                    operations::get_item(&frame.get(*value), &frame.get(*index))?
                }
                Expr::StaticGetItem { value, index, .. } => {
                    let value = frame.get(*value);
                    match index {
                        Const::Str(field) => operations::attribute(value, field),
                        _ => {
                            let at = index.as_int().map_or(Value::None, Value::Int);
                            operations::get_item(&value, &at)?
                        }
                    }
                }
                Expr::Cast { value, .. } => frame.get(*value),
                Expr::ExceptionMatch { .. } => Value::Bool(true),
                other => unreachable!("no program has {other:?}"),
            },
            other => unreachable!("no program has {other:?}"),
        })
    }

    fn called(&mut self, callee: Value, args: Vec<Value>) -> Result<Value, Raised> {
        let name = match callee {
            Value::Method(value, name) => return operations::method(&value, &name, &args),
            Value::Object(name) => name,
            Value::Item(item) => return Ok(operations::widened(item, &args)),
            _ => unreachable!("programs call functions"),
        };
        if let Some(number) = self.functions.iter().position(|f| f.name == name) {
            if self.functions[number].is_generator {
                let frame = self.frame(number, args);
                return Ok(Value::Iterator(Rc::new(RefCell::new(Items::Generator(
                    Box::new(frame),
                )))));
            }
            return self.run(number, args);
        }
        Ok(operations::builtin(&name, &args))
    }

    fn advance(&mut self, iterator: &Rc<RefCell<Items>>) -> Result<Option<Value>, Raised> {
        let mut items = iterator.borrow_mut();
        Ok(match &mut *items {
            Items::Range(at, stop, step) => {
                let more = if *step > 0 { at < stop } else { at > stop };
                let now = *at;
                *at += if more { *step } else { 0 };
                more.then_some(Value::Int(now))
            }
            Items::List(list, at) => {
                *at += 1;
                list.borrow().get(*at - 1).cloned()
            }
            Items::Text(text) => text.next().map(|c| Value::Text(c.to_string())),
            Items::Array(array, at) => {
                if *at == array.shape[0] {
                    return Ok(None);
                }
                *at += 1;
                Some(operations::item(array, *at as i64 - 1))
            }
            Items::Generator(frame) => {
                if frame.done {
                    return Ok(None);
                }
                match self.resume(frame)? {
                    Stop::Yielded(value) => Some(value),
                    Stop::Returned(_) => None,
                }
            }
        })
    }
}

/// The class of [`Raised`] where a program takes too long.
const OUT_OF_FUEL: &str = "out of fuel";

impl Frame {
    fn get(&self, var: Var) -> Value {
        self.values
            .get(&var)
            .cloned()
            .expect("every variable is assigned first")
    }
}

impl Value {
    fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

fn object(func: &Func, obj: ObjRef) -> Value {
    match func.objects[obj].kind {
        ObjKind::DType(_) => Value::Item(Item::Record),
        _ => Value::Object(func.objects[obj].name.clone()),
    }
}

fn iterator(value: Value) -> Value {
    let items = match value {
        Value::Range(start, stop, step) => Items::Range(start, stop, step),
        Value::List(list) => Items::List(list, 0),
        Value::Array(array) => Items::Array(array, 0),
        Value::Text(text) => Items::Text(text.chars().collect::<Vec<_>>().into_iter()),
        Value::Iterator(_) => return value,
        _ => unreachable!("programs iterate over iterables"),
    };
    Value::Iterator(Rc::new(RefCell::new(items)))
}

/// A number of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

/// What a call does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    results: Vec<Number>,
    buffers: Vec<Vec<u8>>,
    raised: Option<String>,
    /// Another exception may come first.
    late: bool,
}

impl Told {
    /// True if an engine did the same.
    pub(crate) fn is(&self, outcome: &Outcome, buffers: &[Item]) -> bool {
        let mut memory = self.buffers.clone();
        for (bytes, item) in memory.iter_mut().zip(buffers) {
            item.normal(bytes);
        }
        let same = |(number, value): (&Number, &numbra_lir::interp::LirValue)| match number {
            Number::Int(n) => value.bits() as i64 == *n,
            Number::Float(x) => {
                let other = f64::from_bits(value.bits() as u64);
                other.to_bits() == x.to_bits() || (x.is_nan() && other.is_nan())
            }
        };
        self.results.len() == outcome.results.len()
            && self.results.iter().zip(&outcome.results).all(same)
            && memory == outcome.buffers
            && match &outcome.raised {
                Some((class, _)) => self.late || self.raised.as_ref() == Some(class),
                None => self.raised.is_none(),
            }
    }
}
