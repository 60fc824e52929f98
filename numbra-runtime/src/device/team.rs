//! A block whose threads run: who has ended, who waits at the barrier, which lanes of which warp meet.

use super::warp::{LANES, Meeting, Offer, WarpOp};

/// A block.
pub(super) struct Team {
    /// Its index in the grid.
    pub(super) block: [u32; 3],
    /// Its threads.
    pub(super) threads: u32,
    /// Those that were begun.
    pub(super) begun: u32,
    ended: u32,
    /// Fibers at the barrier.
    waiting: Vec<usize>,
    /// For how many of them the operand was not 0.
    truths: u32,
    warps: Vec<Warp>,
    pub(super) shared: *mut u8,
}

struct Warp {
    /// Lanes that exist and have not ended.
    live: u32,
    meetings: Vec<Meeting>,
}

/// Fibers that may go on, each with the result of what it has waited for.
pub(super) type Released = Vec<(usize, u64)>;

impl Team {
    pub(super) fn new(block: [u32; 3], threads: u32, shared: *mut u8) -> Team {
        let warps = (0..threads.div_ceil(LANES)).map(|warp| {
            let lanes = (threads - warp * LANES).min(LANES);
            Warp {
                live: u32::MAX >> (LANES - lanes),
                meetings: Vec::new(),
            }
        });
        Team {
            block,
            threads,
            begun: 0,
            ended: 0,
            waiting: Vec::new(),
            truths: 0,
            warps: warps.collect(),
            shared,
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended == self.threads
    }

    /// A thread is at the barrier.
    pub(super) fn at_barrier(&mut self, fiber: usize, truth: bool) -> Released {
        self.waiting.push(fiber);
        self.truths += u32::from(truth);
        self.open_barrier()
    }

    /// Lets the threads at the barrier go on if all are there that have not ended. Each gets how many there were in the high
    /// half, and for how many the operand was not 0 in the low half.
    fn open_barrier(&mut self) -> Released {
        let there = self.waiting.len() as u32;
        if there == 0 || there + self.ended < self.threads {
            return Released::new();
        }
        let answer = u64::from(there) << 32 | u64::from(std::mem::take(&mut self.truths));
        self.waiting.drain(..).map(|f| (f, answer)).collect()
    }

    /// A lane comes to an operation of its warp; its mask names it.
    pub(super) fn at_meeting(
        &mut self,
        number: u32,
        op: WarpOp,
        mask: u32,
        offer: Offer,
    ) -> Released {
        let warp = &mut self.warps[(number / LANES) as usize];
        let lane = number % LANES;
        let open = warp
            .meetings
            .iter_mut()
            .find(|m| m.op == op && m.mask == mask && m.here & 1 << lane == 0);
        let meeting = match open {
            Some(meeting) => meeting,
            None => {
                warp.meetings.push(Meeting::new(op, mask));
                warp.meetings.last_mut().expect("one was pushed")
            }
        };
        meeting.come(lane, offer);
        warp.close_meetings(|m, live| !matches!(m.op, WarpOp::ActiveMask(_)) && m.is_complete(live))
    }

    /// A thread has ended.
    pub(super) fn thread_ended(&mut self, number: u32) -> Released {
        self.ended += 1;
        let warp = &mut self.warps[(number / LANES) as usize];
        warp.live &= !(1 << (number % LANES));
        let mut released = warp.close_meetings(|m, live| {
            !matches!(m.op, WarpOp::ActiveMask(_)) && m.is_complete(live)
        });
        released.extend(self.open_barrier());
        released
    }

    /// When nobody else can go on: the lanes that ask who is active.
    pub(super) fn settle(&mut self) -> Released {
        let warps = self.warps.iter_mut();
        warps
            .flat_map(|w| w.close_meetings(|m, _| matches!(m.op, WarpOp::ActiveMask(_))))
            .collect()
    }

    /// Who waits for whom, for people.
    pub(super) fn describe(&self, out: &mut String, name: &dyn Fn(usize) -> String) {
        use std::fmt::Write as _;
        let missing = self.threads - self.ended - self.waiting.len() as u32;
        if let Some(&first) = self.waiting.first() {
            let _ = write!(
                out,
                "\n  {} at a barrier of the block (the first is thread {}), for {missing} that have not come",
                self.waiting.len(),
                name(first)
            );
        }
        for (number, warp) in self.warps.iter().enumerate() {
            for meeting in &warp.meetings {
                let first = meeting.answers().next().map(|(fiber, _)| name(fiber));
                let _ = write!(
                    out,
                    "\n  {} at {} with mask {:#010x} in warp {number} (the first is thread {}), for lanes {:#010x}",
                    meeting.here.count_ones(),
                    meeting.op,
                    meeting.mask,
                    first.unwrap_or_default(),
                    meeting.mask & warp.live & !meeting.here,
                );
            }
        }
    }
}

impl Warp {
    fn close_meetings(&mut self, closes: impl Fn(&Meeting, u32) -> bool) -> Released {
        let mut released = Released::new();
        let live = self.live;
        self.meetings.retain(|meeting| {
            let done = closes(meeting, live);
            if done {
                released.extend(meeting.answers());
            }
            !done
        });
        released
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(threads: u32) -> Team {
        Team::new([0; 3], threads, std::ptr::null_mut())
    }

    #[test]
    fn a_barrier_opens_for_those_that_have_not_ended() {
        let mut team = team(3);
        assert!(team.at_barrier(10, true).is_empty());
        assert!(team.thread_ended(1).is_empty());
        assert_eq!(
            team.at_barrier(12, false),
            [(10, 2 << 32 | 1), (12, 2 << 32 | 1)]
        );
        // The next time nothing is left of the last.
        assert!(team.at_barrier(10, false).is_empty());
        assert_eq!(team.thread_ended(2), [(10, 1 << 32)]);
        assert!(!team.has_ended());
        team.thread_ended(0);
        assert!(team.has_ended());
    }

    #[test]
    fn a_warp_that_is_not_full_has_no_other_lanes() {
        let mut team = team(33);
        let offer = Offer {
            fiber: 7,
            ..Offer::default()
        };
        let released = team.at_meeting(32, WarpOp::Sync, u32::MAX, offer);
        assert_eq!(released, [(7, 0)]);
    }

    #[test]
    fn different_masks_do_not_meet() {
        let mut team = team(2);
        let offer = Offer::default();
        assert!(team.at_meeting(0, WarpOp::Sync, 3, offer).is_empty());
        assert!(team.at_meeting(1, WarpOp::Vote, 3, offer).is_empty());
        assert!(team.settle().is_empty());
        let mut text = String::new();
        team.describe(&mut text, &|_| "x".to_owned());
        assert!(
            text.contains("1 at syncwarp with mask 0x00000003 in warp 0"),
            "{text}"
        );
        assert!(text.contains("for lanes 0x00000002"), "{text}");
    }
}
