//! The lanes of a warp that meet: at shuffles, votes, matches, and where they only synchronise.
//!
//! As on GPUs, an operation waits for all lanes of its mask that have not ended. Lanes meet if they name the same operation
//! and the same mask, wherever in the code they do.

use std::fmt;

/// Lanes of a warp.
pub(super) const LANES: u32 = 32;

/// What lanes meet for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WarpOp {
    Sync,
    ShuffleIdx,
    ShuffleUp,
    ShuffleDown,
    ShuffleXor,
    /// The answer has the lanes that came in its high half, those of them whose value is not 0 in its low half.
    Vote,
    MatchAny,
    MatchAll,
    /// At this place of the code; does not wait for lanes that wait elsewhere.
    ActiveMask(i32),
}

impl fmt::Display for WarpOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WarpOp::Sync => "syncwarp",
            WarpOp::ShuffleIdx => "shfl_sync",
            WarpOp::ShuffleUp => "shfl_up_sync",
            WarpOp::ShuffleDown => "shfl_down_sync",
            WarpOp::ShuffleXor => "shfl_xor_sync",
            WarpOp::Vote => "a vote",
            WarpOp::MatchAny => "match_any_sync",
            WarpOp::MatchAll => "match_all_sync",
            WarpOp::ActiveMask(_) => "activemask",
        })
    }
}

/// What one lane brings.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Offer {
    pub(super) value: u64,
    /// Of a shuffle: lane, distance or bits.
    pub(super) operand: u32,
    pub(super) fiber: usize,
}

/// An operation that not all lanes have reached.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub(super) op: WarpOp,
    pub(super) mask: u32,
    /// Lanes that have come.
    pub(super) here: u32,
    offers: [Offer; LANES as usize],
}

impl Meeting {
    pub(super) fn new(op: WarpOp, mask: u32) -> Meeting {
        Meeting {
            op,
            mask,
            here: 0,
            offers: [Offer::default(); LANES as usize],
        }
    }

    pub(super) fn come(&mut self, lane: u32, offer: Offer) {
        self.here |= 1 << lane;
        self.offers[lane as usize] = offer;
    }

    /// Whether all lanes of the mask are here, of those that have not ended.
    pub(super) fn is_complete(&self, live: u32) -> bool {
        self.mask & live & !self.here == 0
    }

    /// The fibers of the lanes that are here, each with its answer.
    pub(super) fn answers(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        lanes(self.here).map(|lane| (self.offers[lane as usize].fiber, self.answer(lane)))
    }

    fn answer(&self, lane: u32) -> u64 {
        let own = self.offers[lane as usize];
        let same = |value: u64| {
            lanes(self.here)
                .filter(|&other| self.offers[other as usize].value == value)
                .fold(0_u32, |mask, other| mask | 1 << other)
        };
        let from = |other: Option<u32>| match other {
            Some(other) if other < LANES && self.here & 1 << other != 0 => {
                self.offers[other as usize].value
            }
            // Another lane's value is not there: CUDA leaves open what comes.
            _ => own.value,
        };
        match self.op {
            WarpOp::Sync => 0,
            WarpOp::ShuffleIdx => from(Some(own.operand % LANES)),
            WarpOp::ShuffleUp => from(lane.checked_sub(own.operand)),
            WarpOp::ShuffleDown => from(lane.checked_add(own.operand)),
            WarpOp::ShuffleXor => from(Some(lane ^ own.operand)),
            WarpOp::Vote => u64::from(self.here) << 32 | u64::from(self.here & !same(0)),
            WarpOp::MatchAny => u64::from(same(own.value)),
            WarpOp::MatchAll if same(own.value) == self.here => u64::from(self.here),
            WarpOp::MatchAll => 0,
            WarpOp::ActiveMask(_) => u64::from(self.here),
        }
    }
}

/// The numbers of the bits.
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = u32> {
    (0..LANES).filter(move |lane| mask & 1 << lane != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(op: WarpOp, mask: u32, offer: impl Fn(u32) -> (u64, u32)) -> Vec<u64> {
        let mut meeting = Meeting::new(op, mask);
        for lane in lanes(mask) {
            assert!(!meeting.is_complete(u32::MAX));
            let (value, operand) = offer(lane);
            let fiber = lane as usize;
            meeting.come(
                lane,
                Offer {
                    value,
                    operand,
                    fiber,
                },
            );
        }
        assert!(meeting.is_complete(u32::MAX));
        meeting.answers().map(|(_, answer)| answer).collect()
    }

    #[test]
    fn shuffles_read_other_lanes() {
        let down = met(WarpOp::ShuffleDown, u32::MAX, |lane| (u64::from(lane), 30));
        assert_eq!(down[..3], [30, 31, 2]);
        let up = met(WarpOp::ShuffleUp, u32::MAX, |lane| (u64::from(lane), 2));
        assert_eq!(up[..4], [0, 1, 0, 1]);
        let xor = met(WarpOp::ShuffleXor, u32::MAX, |lane| (u64::from(lane), 1));
        assert_eq!(xor[..4], [1, 0, 3, 2]);
        let from_33 = met(WarpOp::ShuffleIdx, u32::MAX, |lane| {
            (u64::from(lane) + 7, 33)
        });
        assert!(from_33.iter().all(|&v| v == 8));
        // A lane that is not in the mask has no value to give.
        let half = met(WarpOp::ShuffleDown, 0xffff, |lane| (u64::from(lane), 1));
        assert_eq!(half[14..], [15, 15]);
    }

    #[test]
    fn votes_and_matches() {
        let vote = met(WarpOp::Vote, 0b111, |lane| (u64::from(lane == 1), 0));
        assert_eq!(vote, [7 << 32 | 2; 3]);
        let any = met(WarpOp::MatchAny, 0b1111, |lane| (u64::from(lane / 2), 0));
        assert_eq!(any, [0b11, 0b11, 0b1100, 0b1100]);
        assert_eq!(met(WarpOp::MatchAll, 0b101, |_| (9, 0)), [0b101; 2]);
        assert_eq!(
            met(WarpOp::MatchAll, 0b101, |lane| (u64::from(lane), 0)),
            [0, 0]
        );
    }

    #[test]
    fn lanes_that_have_ended_are_not_waited_for() {
        let mut meeting = Meeting::new(WarpOp::Sync, 0b11);
        meeting.come(0, Offer::default());
        assert!(!meeting.is_complete(0b11));
        assert!(meeting.is_complete(0b01));
    }
}
