//! The scheduler: which fiber goes on, and what becomes of threads that wait.

use super::blocks::Blocks;
use super::fiber::{Fiber, Owned};
use super::natives::Current;
use super::strand::{Stop, suspend};
use super::team::{Released, Team};
use super::warp::{Offer, WarpOp};
use super::{DeviceEntry, DeviceKernel, DeviceLaunch, LaunchError, SharedMemory, place, thread_of};
use super::{interrupted, volume};
use std::cell::RefCell;
use std::collections::VecDeque;

/// A launch whose threads may wait. Nothing in it is borrowed while a fiber is switched.
pub(super) struct Grid {
    entry: DeviceEntry,
    params: *const u64,
    block_dim: [u32; 3],
    blocks: *const Blocks,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// Blocks that run: one, or all of a grid that synchronises.
    teams: Vec<Team>,
    /// The first of them that has threads to begin.
    next: usize,
    /// Fibers that may go on.
    ready: VecDeque<usize>,
    /// Fibers that let others go first, also threads that are not begun.
    resting: VecDeque<usize>,
    /// Fibers without a thread.
    idle: Vec<usize>,
    /// What each fiber has waited for.
    answers: Vec<u64>,
    /// Fibers at the barrier of the grid.
    waiting: Vec<usize>,
    /// Threads that have not ended.
    live: usize,
    /// Fibers without a thread end.
    over: bool,
}

impl State {
    fn begin(&mut self, teams: Vec<Team>) {
        self.live = teams.iter().map(|t| t.threads as usize).sum();
        self.teams = teams;
        self.next = 0;
    }

    fn release(&mut self, released: Released) {
        for (fiber, answer) in released {
            self.answers[fiber] = answer;
            self.ready.push_back(fiber);
        }
    }

    /// The team and number of a thread that was not begun yet, which now is.
    fn next_thread(&mut self) -> Option<(usize, u32)> {
        while let Some(team) = self.teams.get_mut(self.next) {
            if team.begun < team.threads {
                team.begun += 1;
                return Some((self.next, team.begun - 1));
            }
            self.next += 1;
        }
        None
    }

    fn has_next(&self) -> bool {
        let rest = self.teams.get(self.next..).unwrap_or_default();
        rest.iter().any(|team| team.begun < team.threads)
    }

    fn open_grid_barrier(&mut self) {
        if !self.waiting.is_empty() && self.waiting.len() == self.live {
            self.ready.extend(self.waiting.drain(..));
        }
    }
}

impl Grid {
    /// What a fiber does: threads, as long as there are any.
    pub(super) fn work(&self, fiber: &Fiber) {
        loop {
            let next = self.state.borrow_mut().next_thread();
            let Some((team, number)) = next else {
                let mut state = self.state.borrow_mut();
                if state.over {
                    return;
                }
                state.idle.push(fiber.id);
                drop(state);
                // SAFETY: this is the fiber's stack.
                unsafe { suspend() };
                continue;
            };
            fiber.begin(team, number);
            let thread = fiber.thread.get();
            {
                let state = self.state.borrow();
                // SAFETY: no code of a thread runs on this fiber now.
                let thread = unsafe { &mut *thread };
                thread.thread = place(u64::from(number), self.block_dim);
                thread.block = state.teams[team].block;
                thread.shared = state.teams[team].shared;
                thread.lane = number % 32;
                thread.status = 0;
            }
            // SAFETY: `run`'s caller says what the code is.
            unsafe { (self.entry)(self.params, thread) };
            // SAFETY: the thread has ended; the blocks outlive the grid, as `run` says.
            let (thread, blocks) = unsafe { (&*thread, &*self.blocks) };
            if thread.status != 0 {
                blocks.note_raised(thread);
            }
            let mut state = self.state.borrow_mut();
            state.live -= 1;
            let released = state.teams[team].thread_ended(number);
            state.release(released);
            state.open_grid_barrier();
        }
    }

    /// The calling thread waits for its block.
    ///
    /// # Safety
    /// Called on this fiber's stack.
    pub(super) unsafe fn barrier(&self, fiber: &Fiber, truth: bool) -> u64 {
        let released =
            |state: &mut State| state.teams[fiber.team.get()].at_barrier(fiber.id, truth);
        // SAFETY: the caller's promise is the same.
        unsafe { self.wait(fiber, released) }
    }

    /// The calling thread waits for lanes of its warp.
    ///
    /// # Safety
    /// Called on this fiber's stack.
    pub(super) unsafe fn meet(
        &self,
        fiber: &Fiber,
        op: WarpOp,
        mask: u32,
        value: u64,
        operand: u32,
    ) -> u64 {
        let number = fiber.number.get();
        let offer = Offer {
            value,
            operand,
            fiber: fiber.id,
        };
        let released =
            |state: &mut State| state.teams[fiber.team.get()].at_meeting(number, op, mask, offer);
        // SAFETY: the caller's promise is the same.
        unsafe { self.wait(fiber, released) }
    }

    /// The calling thread waits for the grid.
    ///
    /// # Safety
    /// Called on this fiber's stack.
    pub(super) unsafe fn grid_barrier(&self, fiber: &Fiber) {
        let released = |state: &mut State| {
            state.waiting.push(fiber.id);
            state.open_grid_barrier();
            Released::new()
        };
        // SAFETY: the caller's promise is the same.
        unsafe { self.wait(fiber, released) };
    }

    /// Lets others run first.
    ///
    /// # Safety
    /// Called on this fiber's stack.
    pub(super) unsafe fn relax(&self, fiber: &Fiber) {
        let released = |state: &mut State| {
            state.resting.push_back(fiber.id);
            Released::new()
        };
        // SAFETY: the caller's promise is the same.
        unsafe { self.wait(fiber, released) };
    }

    /// # Safety
    /// Called on this fiber's stack.
    unsafe fn wait(&self, fiber: &Fiber, come: impl FnOnce(&mut State) -> Released) -> u64 {
        {
            let mut state = self.state.borrow_mut();
            let released = come(&mut state);
            state.release(released);
        }
        // SAFETY: nothing is borrowed; the caller says where this is called.
        unsafe { suspend() };
        self.state.borrow().answers[fiber.id]
    }

    /// Who waits for whom.
    fn deadlock(&self, fibers: &[Owned]) -> LaunchError {
        let state = self.state.borrow();
        let name = |fiber: usize| format!("{:?}", place_of(self, &fibers[fiber]));
        let mut text = "deadlock: threads wait for others that do not come".to_owned();
        if !state.waiting.is_empty() {
            text.push_str(&format!(
                "\n  {} at a barrier of the grid, for {} that have not come",
                state.waiting.len(),
                state.live - state.waiting.len()
            ));
        }
        for team in state.teams.iter().filter(|team| !team.has_ended()).take(4) {
            let at = team.block;
            text.push_str(&format!("\nin block {:?}:", (at[0], at[1], at[2])));
            team.describe(&mut text, &name);
        }
        LaunchError::Deadlock(text)
    }
}

fn place_of(grid: &Grid, fiber: &Owned) -> (u32, u32, u32) {
    let [x, y, z] = place(u64::from(fiber.fiber().number.get()), grid.block_dim);
    (x, y, z)
}

/// Runs blocks until none are left, or until it has taken long enough.
///
/// # Safety
/// As for [`super::launch_device`].
pub(super) unsafe fn run(
    kernel: &DeviceKernel,
    launch: &DeviceLaunch<'_>,
    blocks: &Blocks,
) -> Result<(), LaunchError> {
    let grid = Grid {
        entry: kernel.entry,
        params: launch.params.as_ptr(),
        block_dim: launch.block,
        blocks,
        state: RefCell::default(),
    };
    let threads = volume(launch.block) as u32;
    let mut fibers: Vec<Owned> = Vec::new();
    let at_once = match kernel.cooperative {
        true => volume(launch.grid),
        false => 1,
    };
    let mut memory: Vec<SharedMemory> = (0..at_once)
        .map(|_| SharedMemory::new(kernel, launch))
        .collect();
    let mut more = true;
    while more {
        let mut first = None;
        let teams = memory.iter_mut().map_while(|memory| {
            let number = blocks.take()?;
            first.get_or_insert(number);
            let block = place(number, launch.grid);
            Some(Team::new(block, threads, memory.start()))
        });
        let teams = teams.collect();
        let Some(first) = first else {
            break;
        };
        grid.state.borrow_mut().begin(teams);
        // SAFETY: the grid stays in this frame, and is dropped after the fibers; the caller says what the code is.
        let outcome = unsafe { run_teams(&grid, kernel, launch, &mut fibers) };
        blocks.note_output(first);
        outcome?;
        more = blocks.go_on();
    }
    grid.state.borrow_mut().over = true;
    for fiber in &mut fibers {
        fiber.resume();
    }
    Ok(())
}

/// Runs the blocks that were begun to their end.
///
/// # Safety
/// As for [`run`]; the grid outlives the fibers.
unsafe fn run_teams(
    grid: &Grid,
    kernel: &DeviceKernel,
    launch: &DeviceLaunch<'_>,
    fibers: &mut Vec<Owned>,
) -> Result<(), LaunchError> {
    loop {
        interrupted()?;
        let mut state = grid.state.borrow_mut();
        let id = match state.ready.pop_front() {
            Some(id) => id,
            None if state.has_next() => match state.idle.pop() {
                Some(id) => id,
                None => {
                    state.answers.push(0);
                    // SAFETY: the caller says how long the grid lives.
                    let made = unsafe { Owned::new(grid, fibers.len(), thread_of(launch), kernel) };
                    fibers.push(made.map_err(LaunchError::Stack)?);
                    fibers.len() - 1
                }
            },
            None if state.live == 0 => return Ok(()),
            None => {
                let settled: Released = state.teams.iter_mut().flat_map(Team::settle).collect();
                state.release(settled);
                if state.ready.is_empty() {
                    let Some(rested) = state.resting.pop_front() else {
                        drop(state);
                        return Err(grid.deadlock(fibers));
                    };
                    if state.resting.is_empty() {
                        // Perhaps for a thread of another block.
                        std::thread::yield_now();
                    }
                    state.ready.push_back(rested);
                }
                continue;
            }
        };
        drop(state);
        let thread = fibers[id].fiber().thread.get();
        let _current = Current::enter(thread);
        match fibers[id].resume() {
            Stop::Waits => {}
            Stop::Look => grid.state.borrow_mut().ready.push_front(id),
            Stop::TooDeep(function) => {
                // SAFETY: the fiber is stopped.
                return Err(LaunchError::too_deep(function, unsafe { &*thread }));
            }
        }
    }
}
