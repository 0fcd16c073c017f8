//! What the benches share: processor time and medians.
#![allow(dead_code, reason = "each bench uses its part")]

use std::time::Instant;

/// Processor seconds that this thread has used, or wall seconds where the
/// system does not tell.
pub fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let cpu = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    match cpu {
        Some(nanoseconds) => nanoseconds as f64 * 1e-9,
        None => start.elapsed().as_secs_f64(),
    }
}

/// Processor seconds of one call, and what it returned.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = cpu_seconds();
    let result = std::hint::black_box(work());
    (cpu_seconds() - start, result)
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs the contestants in turn for some rounds, so that noise of the machine
/// meets all of them, and returns the median processor seconds of each.
pub fn side_by_side(rounds: usize, contestants: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut seconds = vec![Vec::new(); contestants.len()];
    for _ in 0..rounds {
        for (contestant, seconds) in contestants.iter_mut().zip(&mut seconds) {
            seconds.push(timed(&mut **contestant).0);
        }
    }
    seconds.into_iter().map(median).collect()
}
