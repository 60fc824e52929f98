//! Turns variables with several definitions into values: block parameters where definitions meet.
//!
//! Parameters stand at the iterated dominance frontier of the definitions, where the variable is live (Cytron et al.
//! 1991, pruned). Serves `sroa` (slots) and `block_copies` (values that got a second definition).

use crate::edit::rename::Renames;
use cranelift_entity::SecondaryMap;
use numbra_lir::analysis::{Cfg, Dominators};
use numbra_lir::{Block, Func, Ty, Value};

/// Something that happens to a variable within a block, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// The variable is this value from here on.
    Def { var: u32, value: Value },
    /// `stand_in` is whatever the variable is here.
    Use { var: u32, stand_in: Value },
}

/// Adds block parameters and arguments, and names in `renames` the value of each use.
///
/// `initial` gives the value of a variable that is read before any definition; it must be available at the entry's end.
pub(crate) fn construct(
    func: &mut Func,
    cfg: &Cfg,
    doms: &Dominators,
    vars: &[Ty],
    events: &SecondaryMap<Block, Vec<Event>>,
    renames: &mut Renames,
    mut initial: impl FnMut(&mut Func, u32) -> Value,
) {
    let count = vars.len();
    let mut def_blocks: Vec<Vec<Block>> = vec![Vec::new(); count];
    let mut exposed: Vec<Vec<Block>> = vec![Vec::new(); count];
    let mut seen_def: Vec<Option<Block>> = vec![None; count];
    let mut seen_use: Vec<Option<Block>> = vec![None; count];
    for &block in cfg.rpo() {
        for event in &events[block] {
            match *event {
                Event::Def { var, .. } => {
                    let var = var as usize;
                    if seen_def[var] != Some(block) {
                        seen_def[var] = Some(block);
                        def_blocks[var].push(block);
                    }
                }
                Event::Use { var, .. } => {
                    let var = var as usize;
                    if seen_def[var] != Some(block) && seen_use[var] != Some(block) {
                        seen_use[var] = Some(block);
                        exposed[var].push(block);
                    }
                }
            }
        }
    }

    let frontier = doms.frontiers(cfg);

    // Parameters: for each block the variables that get one.
    let mut params: SecondaryMap<Block, Vec<(u32, Value)>> = SecondaryMap::new();
    let mut live_mark: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
    let mut def_mark: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
    let mut placed: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
    for var in 0..count {
        let id = var as u32;
        for &block in &def_blocks[var] {
            def_mark[block] = id;
        }
        let mut work = exposed[var].clone();
        while let Some(block) = work.pop() {
            if live_mark[block] == id {
                continue;
            }
            live_mark[block] = id;
            for &pred in cfg.preds(block) {
                if def_mark[pred] != id {
                    work.push(pred);
                }
            }
        }
        // The entry defines every variable.
        let mut work = def_blocks[var].clone();
        work.push(func.entry());
        while let Some(block) = work.pop() {
            for &meet in &frontier[block] {
                if placed[meet] != id && live_mark[meet] == id {
                    placed[meet] = id;
                    let value = func.push_param(meet, vars[var]);
                    params[meet].push((id, value));
                    work.push(meet);
                }
            }
        }
    }

    // Values along the dominator tree.
    let mut current: Vec<Option<Value>> = vec![None; count];
    enum Step {
        Enter(Block),
        Restore(u32, Option<Value>),
    }
    let mut stack = vec![Step::Enter(func.entry())];
    while let Some(step) = stack.pop() {
        let block = match step {
            Step::Enter(block) => block,
            Step::Restore(var, value) => {
                current[var as usize] = value;
                continue;
            }
        };
        let mut set = |current: &mut Vec<Option<Value>>, var: u32, value: Value| {
            stack.push(Step::Restore(var, current[var as usize]));
            current[var as usize] = Some(value);
        };
        for &(var, value) in &params[block] {
            set(&mut current, var, value);
        }
        for event in &events[block] {
            match *event {
                Event::Def { var, value } => {
                    let value = renames.resolve(value);
                    set(&mut current, var, value);
                }
                Event::Use { var, stand_in } => {
                    let value = match current[var as usize] {
                        Some(value) => value,
                        None => initial(func, var),
                    };
                    renames.replace(stand_in, value);
                }
            }
        }
        let term = func.blocks[block].term.clone();
        if let Some(mut term) = term {
            let mut extended = false;
            for target in term.targets_mut() {
                for &(var, _) in &params[target.block] {
                    let value = match current[var as usize] {
                        Some(value) => value,
                        None => initial(func, var),
                    };
                    target.args.push(value);
                    extended = true;
                }
            }
            if extended {
                func.blocks[block].term = Some(term);
            }
        }
        stack.extend(doms.children(block).iter().rev().map(|&b| Step::Enter(b)));
    }
}
