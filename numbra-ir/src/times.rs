//! NumPy's dates and durations: units, and how they convert.

use crate::{Type, TypeKind, Types};
use serde::{Deserialize, Serialize};

/// The unit of a `datetime64` or `timedelta64`, coarsest first.
#[allow(missing_docs, reason = "the names say what they are")]
// ORDER: operands of different units compute in the later one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum TimeUnit {
    /// None: takes that of what it meets.
    Generic,
    Year,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
    Picosecond,
    Femtosecond,
    Attosecond,
}

impl TimeUnit {
    /// All of them, in order.
    pub const ALL: [TimeUnit; 14] = [
        TimeUnit::Generic,
        TimeUnit::Year,
        TimeUnit::Month,
        TimeUnit::Week,
        TimeUnit::Day,
        TimeUnit::Hour,
        TimeUnit::Minute,
        TimeUnit::Second,
        TimeUnit::Millisecond,
        TimeUnit::Microsecond,
        TimeUnit::Nanosecond,
        TimeUnit::Picosecond,
        TimeUnit::Femtosecond,
        TimeUnit::Attosecond,
    ];

    /// NumPy's name: `D`, `ms`; empty for the generic unit.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Generic => "",
            TimeUnit::Year => "Y",
            TimeUnit::Month => "M",
            TimeUnit::Week => "W",
            TimeUnit::Day => "D",
            TimeUnit::Hour => "h",
            TimeUnit::Minute => "m",
            TimeUnit::Second => "s",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Microsecond => "us",
            TimeUnit::Nanosecond => "ns",
            TimeUnit::Picosecond => "ps",
            TimeUnit::Femtosecond => "fs",
            TimeUnit::Attosecond => "as",
        }
    }

    /// The unit of a name.
    pub fn from_name(name: &str) -> Option<TimeUnit> {
        TimeUnit::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// True of years and months, whose length in days varies.
    pub fn is_calendar(self) -> bool {
        matches!(self, TimeUnit::Year | TimeUnit::Month)
    }

    /// How many of `to` this unit is: a constant of 64 bits. `None` where it is none, or `to` is coarser.
    pub fn factor(self, to: TimeUnit) -> Option<i64> {
        if self == to || self == TimeUnit::Generic {
            return Some(1);
        }
        if self > to || self.is_calendar() != to.is_calendar() {
            return None;
        }
        // To the next unit, in order.
        let steps: [i64; 14] = [
            1, 12, 1, 7, 24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000, 1,
        ];
        let (from, to) = (self as usize, to as usize);
        steps[from..to]
            .iter()
            .try_fold(1i64, |product, step| product.checked_mul(*step))
    }
}

/// A date or a duration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeType {
    /// `datetime64`, else `timedelta64`.
    pub is_date: bool,
    /// Its unit.
    pub unit: TimeUnit,
}

impl TimeType {
    /// True if every value has one in the unit `to`, which is as fine or finer.
    pub fn converts(self, to: TimeUnit) -> bool {
        if self.unit.factor(to).is_some() {
            return true;
        }
        // Dates of the calendar are days, and those are a number of anything finer.
        self.is_date
            && self.unit.is_calendar()
            && to > TimeUnit::Month
            && (to == TimeUnit::Week || TimeUnit::Day.factor(to).is_some())
    }
}

impl Types {
    /// The date or duration behind a type.
    pub fn as_time(&self, ty: Type) -> Option<TimeType> {
        match self.kind(ty) {
            TypeKind::Datetime(unit) => Some(TimeType {
                is_date: true,
                unit: *unit,
            }),
            TypeKind::Timedelta(unit) => Some(TimeType {
                is_date: false,
                unit: *unit,
            }),
            _ => None,
        }
    }

    /// The type of a date or duration.
    pub fn time(&self, time: TimeType) -> Type {
        self.intern(if time.is_date {
            TypeKind::Datetime(time.unit)
        } else {
            TypeKind::Timedelta(time.unit)
        })
    }

    /// The unit that times compute in: the finest, if all convert to it.
    pub fn common_unit(&self, times: &[TimeType]) -> Option<TimeUnit> {
        let finest = times.iter().map(|t| t.unit).max()?;
        times.iter().all(|t| t.converts(finest)).then_some(finest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_numpys() {
        let unit = |name| TimeUnit::from_name(name).expect("a unit");
        let factor = |a, b| unit(a).factor(unit(b));
        assert_eq!(factor("Y", "M"), Some(12));
        assert_eq!(factor("W", "s"), Some(7 * 86_400));
        assert_eq!(factor("D", "D"), Some(1));
        assert_eq!(factor("h", "us"), Some(3_600_000_000));
        assert_eq!(factor("M", "D"), None);
        assert_eq!(factor("s", "m"), None);
        assert_eq!(factor("", "ns"), Some(1));
        assert_eq!(factor("W", "as"), None);
    }

    #[test]
    fn units_have_names() {
        for unit in TimeUnit::ALL {
            assert_eq!(TimeUnit::from_name(unit.name()), Some(unit));
        }
    }
}
