//! Runs several iterations of a counted loop at once, in vectors.
//!
//! ```text
//! before                                  after
//!   jump block1(v0, v1)                     v20 = isub v2, v0
//! block1(v3: i64, v4: i64):                 brif v22, block2, block1(v0, v1)  (v0 < v2, v20 > 4)
//!   v5 = iadd v3, v9      (v9 = 1)        block2:                         what is invariant, and the first sums
//!   v6 = ptr_add v7, v8   (v8 = v3 * 8)     jump block3(v0, v24)
//!   v10: i64 = load v6                    block3(v30: i64, v31: i64x4):
//!   v11 = iadd v4, v10                      v32: i64x4 = load v33
//!   v12 = icmp slt v5, v2                   v34 = iadd v31, v32
//!   brif v12, block1(v5, v11), block4       v35 = iadd v30, v36           (v36 = 4)
//!                                           brif v37, block3(v35, v34), block5
//!                                         block5:                         the sum of the lanes
//!                                           jump block1(v35, v40)
//! ```
//!
//! The loop itself stays and runs the last iterations, at least one, so nothing behind it changes. Taken are loops of one
//! block that count up by 1, whose memory accesses advance by one element an iteration, and whose other variables are sums
//! (bitwise and, or, exclusive or): of integers in any order, of floats where the operation allows it. What a condition
//! counts is counted in masks. Memory that is written is compared with what else is accessed before the vectors start;
//! where they overlap, the loop runs as it is.
//!
//! Wants rotated loops, invariant code in front of them, addresses as an invariant base and a varying rest (`licm`).
//! LLVM does this itself, so only Cranelift's pipeline has it. Linear.

mod build;
mod pass;
mod plan;
mod shape;

pub(crate) use pass::vectorize;
