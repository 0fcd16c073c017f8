//! Any bytes read as `obk`: games or findings that keep the laws.
#![no_main]

#[path = "../../tests/common/format_laws.rs"]
mod format_laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| format_laws::hold("obk", bytes));
