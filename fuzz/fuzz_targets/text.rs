//! Any bytes in any encoding: no panic, points in order, every byte of the
//! input accounted for.
#![no_main]

#[path = "../../tests/common/text_laws.rs"]
mod text_laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // The laws look at each place several times.
    if bytes.len() <= 4096 {
        text_laws::hold(bytes);
    }
});
