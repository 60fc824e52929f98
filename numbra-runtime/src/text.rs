//! Comparison and length of strings. Code points compare, as in Python.

use crate::elements::Wide;
use crate::value::{Arg, Failure, Ret, bad_call};
use std::cmp::Ordering;

fn compare(args: &[Arg]) -> Result<Ordering, Failure> {
    match args {
        // UTF-8 has the order of code points.
        [Arg::Text(a), Arg::Text(b)] => Ok(a.cmp(b)),
        _ => Err(bad_call()),
    }
}

/// `(string, string) -> bool`
pub(crate) fn eq(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Int(compare(args)?.is_eq().into()))
}

/// As [`eq`].
pub(crate) fn ne(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Int(compare(args)?.is_ne().into()))
}

/// As [`eq`].
pub(crate) fn lt(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Int(compare(args)?.is_lt().into()))
}

/// As [`eq`].
pub(crate) fn le(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Int(compare(args)?.is_le().into()))
}

/// As [`eq`].
pub(crate) fn gt(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Int(compare(args)?.is_gt().into()))
}

/// As [`eq`].
pub(crate) fn ge(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Int(compare(args)?.is_ge().into()))
}

/// `(string) -> int64`: code points.
pub(crate) fn len(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    match args {
        [Arg::Text(text)] => ret.scalar(Wide::Int(text.chars().count() as i64)),
        _ => Err(bad_call()),
    }
}
