//! Reading.

use crate::{
    Carried, CarriedVar, Decision, FunctionKey, FunctionPlan, Hazard, LoopPlan, LoopShape,
    NanReset, ParallelPlan, PrivateArray, Region, SerialReason, VerifyError, verify,
};
use numbra_base::{FxHashMap, Span};
use numbra_ir::{
    Block, Cursor, EntityRef, Instance, Parse, ParseError, TypedFunc, TypedProgram, Types, Var,
};
use numbra_library::{Library, Reduce};

/// Reads a plan of this program; it is verified.
pub fn read_plan(
    text: &str,
    program: &TypedProgram,
    types: &Types,
    library: &Library,
) -> Result<ParallelPlan, ParseError> {
    let mut parser = Parser {
        program,
        plan: ParallelPlan::default(),
        lines: FxHashMap::default(),
        vars: FxHashMap::default(),
    };
    for (at, line) in text.lines().enumerate() {
        let mut cursor = Cursor::new(line, at as u32 + 1);
        if !cursor.at_end() {
            parser.line(&mut cursor)?;
            cursor.end()?;
        }
    }
    match verify(&parser.plan, program, types, library) {
        Ok(()) => Ok(parser.plan),
        Err(errors) => Err(parser.place(&errors)),
    }
}

/// A plan so far.
struct Parser<'a> {
    program: &'a TypedProgram,
    plan: ParallelPlan,
    /// Where functions and their loops stand.
    lines: FxHashMap<(Instance, Option<Block>), u32>,
    /// Variables of the function being read.
    vars: FxHashMap<&'a str, Var>,
}

impl<'a> Parser<'a> {
    fn line(&mut self, c: &mut Cursor<'_>) -> Parse<()> {
        if c.eat("plan") {
            return self.function(c);
        }
        if self.plan.functions.is_empty() {
            return c.error("expected `plan` and a function");
        }
        if c.eat("loop") {
            return self.one_loop(c);
        }
        self.fact(c)
    }

    fn function(&mut self, c: &mut Cursor<'_>) -> Parse<()> {
        let start = c.clone();
        let instance = c.entity("fn", "a function such as `fn0`")?;
        let instance = Instance::new(instance as usize);
        let Some((_, typed)) = self.program.functions.get(instance) else {
            return start.error(format!("the program has no {instance}"));
        };
        let key = FunctionKey {
            instance,
            no_nans: c.eat("no_nans"),
        };
        self.vars = names(typed);
        self.lines.entry((instance, None)).or_insert(c.line());
        let loops = Vec::new();
        self.plan.functions.push(FunctionPlan { key, loops });
        Ok(())
    }

    fn one_loop(&mut self, c: &mut Cursor<'_>) -> Parse<()> {
        let header = block(c)?;
        c.expect("over")?;
        let range = self.var(c)?;
        c.expect(":")?;
        let decision = if c.eat("parallel") {
            Decision::Parallel(Region::default())
        } else {
            c.expect("serial")?;
            let start = c.clone();
            let (word, about) = named(c)?;
            match SerialReason::of(&word, about) {
                Some(reason) => Decision::Serial(reason),
                None => return start.error(format!("`{word}` is no reason with these names")),
            }
        };
        let shape = LoopShape {
            header,
            range,
            item: None,
            first: header,
            exit: header,
        };
        let line = c.line();
        if let Some(function) = self.plan.functions.last_mut() {
            let place = (function.key.instance, Some(header));
            self.lines.entry(place).or_insert(line);
            function.loops.push(LoopPlan { shape, decision });
        }
        Ok(())
    }

    /// One fact about the loop before.
    fn fact(&mut self, c: &mut Cursor<'_>) -> Parse<()> {
        let functions = self.plan.functions.iter();
        let Some(one) = functions.last().and_then(|function| function.loops.last()) else {
            return c.error("expected `loop` and its header");
        };
        let mut one = one.clone();
        let is_item = c.eat("item");
        if is_item || c.eat("no item") {
            one.shape.item = match is_item {
                true => Some(self.var(c)?),
                false => None,
            };
            c.expect(",")?;
            c.expect("from")?;
            one.shape.first = block(c)?;
            c.expect("to")?;
            one.shape.exit = block(c)?;
        } else {
            match &mut one.decision {
                Decision::Parallel(region) => self.fact_of_region(c, region)?,
                Decision::Serial(_) => return c.error("expected `item` or `no item`"),
            }
        }
        let functions = self.plan.functions.iter_mut();
        if let Some(last) = functions
            .last()
            .and_then(|function| function.loops.last_mut())
        {
            *last = one;
        }
        Ok(())
    }

    fn fact_of_region(&self, c: &mut Cursor<'_>, region: &mut Region) -> Parse<()> {
        if c.eat("body") {
            region.body = separated(c, block)?;
        } else if c.eat("carries") {
            let var = self.var(c)?;
            c.expect(":")?;
            let kind = if c.eat("last_value") {
                Carried::LastValue
            } else if c.eat("nan_reset") {
                Carried::NanReset(operator(c)?)
            } else {
                c.expect("reduction")?;
                Carried::Reduction(operator(c)?)
            };
            region.carried.push(CarriedVar { var, kind });
        } else if c.eat("private") {
            let vars = separated(c, |c| self.var(c))?;
            c.expect(":")?;
            c.expect("reduction")?;
            let reduce = operator(c)?;
            region.private.push(PrivateArray { vars, reduce });
        } else if c.eat("flags") {
            region.flagged = separated(c, |c| self.var(c))?;
        } else if c.eat("resets") {
            let result = self.var(c)?;
            c.expect("after")?;
            let before = self.var(c)?;
            region.nan_resets.push(NanReset { result, before });
        } else {
            c.expect("hazard")?;
            region.hazards.push(self.hazard(c)?);
        }
        Ok(())
    }

    fn hazard(&self, c: &mut Cursor<'_>) -> Parse<Hazard> {
        let start = c.clone();
        let (word, about) = named(c)?;
        let span = match c.eat("@") {
            true => {
                let function = self.plan.functions.last();
                let typed = function.and_then(|f| self.program.functions.get(f.key.instance));
                c.span(typed.map_or(Span::NONE, |(_, typed)| typed.func.span).file)?
            }
            false => Span::NONE,
        };
        match Hazard::of(&word, about, span) {
            Some(hazard) => Ok(hazard),
            None => start.error(format!("`{word}` is no hazard of one array")),
        }
    }

    fn var(&self, c: &mut Cursor<'_>) -> Parse<Var> {
        let start = c.clone();
        let name = c.name("a variable")?;
        match self.vars.get(name.as_str()) {
            Some(var) => Ok(*var),
            None => start.error(format!("the function has no variable `{name}`")),
        }
    }

    /// The first broken rule, where the text has what breaks it.
    fn place(&self, errors: &[VerifyError]) -> ParseError {
        let (line, message) = errors.first().map_or((1, String::new()), |error| {
            let of = |header| self.lines.get(&(error.instance, header)).copied();
            let line = of(error.header).or_else(|| of(None));
            (line.unwrap_or(1), error.message.clone())
        });
        ParseError {
            line,
            col: 1,
            message,
        }
    }
}

/// The variables of a function by name.
fn names(typed: &TypedFunc) -> FxHashMap<&str, Var> {
    let vars = typed.func.vars.iter();
    vars.map(|(var, data)| (data.name.as_str(), var)).collect()
}

fn block(c: &mut Cursor<'_>) -> Parse<Block> {
    let number = c.entity("bb", "a block such as `bb1`")?;
    Ok(Block::new(number as usize))
}

fn operator(c: &mut Cursor<'_>) -> Parse<Reduce> {
    let found = Reduce::ALL.into_iter().find(|one| c.eat(one.symbol()));
    match found {
        Some(reduce) => Ok(reduce),
        None => c.error("expected an operator of a reduction"),
    }
}

/// A word and the names that it is about.
fn named(c: &mut Cursor<'_>) -> Parse<(String, Vec<String>)> {
    let word = c.name("a word")?;
    let mut about = Vec::new();
    while c.peek("\"") {
        about.push(c.quoted('"')?);
    }
    Ok((word, about))
}

/// One or more, with commas between.
fn separated<T>(c: &mut Cursor<'_>, item: impl Fn(&mut Cursor<'_>) -> Parse<T>) -> Parse<Vec<T>> {
    let mut items = vec![item(c)?];
    while c.eat(",") {
        items.push(item(c)?);
    }
    Ok(items)
}
