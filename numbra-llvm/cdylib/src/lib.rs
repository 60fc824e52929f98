//! thin cdylib
