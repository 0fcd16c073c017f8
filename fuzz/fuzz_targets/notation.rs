//! Any text on any board: no panic, a resolution is legal, candidates are
//! legal and distinct, what is written is read back.
#![no_main]

#[path = "../../tests/common/notation_laws.rs"]
mod notation_laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| notation_laws::hold(bytes));
