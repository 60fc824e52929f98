//! Plans from texts of typed programs: goldens, rules, damage.

mod damaged;
mod filetests;
mod planned;
mod verifier;
