//! What runs in place of calls of native bodies, as the library says: see [`numbra_library::Inline`].

mod few;
mod join;
mod take;
