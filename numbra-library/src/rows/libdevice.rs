//! `numbra.cuda.libdevice`: NVIDIA's library of functions for GPUs, a row for each entry of its table.

use super::device;
use crate::row_macro::{BLANK, param, rule};
use crate::{Body, DeviceFn, Op, Param, Row, Targets};
use numbra_abi::libdevice::FUNCTIONS;

const COUNT: usize = FUNCTIONS.len();

/// Most functions have up to three operands, none more than four.
static PARAMS: [Param; 4] = [param("x"), param("y"), param("z"), param("w")];

static BODIES: [[Body; 1]; COUNT] = bodies();

static TABLE: [Row; COUNT] = rows();

pub(crate) static ROWS: &[Row] = &TABLE;

const fn bodies() -> [[Body; 1]; COUNT] {
    let mut all = [[rule(
        &[],
        device::libdevice,
        Op::Device(DeviceFn::Libdevice(0)),
    )]; COUNT];
    let mut i = 0;
    while i < COUNT {
        all[i] = [rule(
            &[],
            device::libdevice,
            Op::Device(DeviceFn::Libdevice(i as u16)),
        )];
        i += 1;
    }
    all
}

const fn rows() -> [Row; COUNT] {
    let mut all = [BLANK; COUNT];
    let mut i = 0;
    while i < COUNT {
        all[i] = Row {
            name: FUNCTIONS[i].qualified,
            params: PARAMS.split_at(FUNCTIONS[i].params.len()).0,
            doc: FUNCTIONS[i].doc,
            targets: Targets::Gpu,
            bodies: &BODIES[i],
            ..BLANK
        };
        i += 1;
    }
    all
}
