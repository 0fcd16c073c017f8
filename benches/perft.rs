//! Move paths from the start position: counted in bulk against made and
//! unmade. `cargo bench --bench perft`; add `-- --deep` for depth 6.

mod common;

use qipu::board::{Position, perft, perft_by_making};

fn main() {
    let start = Position::start();
    let check =
        |nodes: u64, expected: u64| assert_eq!(nodes, expected, "a wrong count is worthless");
    let seconds = common::side_by_side(
        3,
        &mut [&mut || check(perft(&start, 5), 133_312_995), &mut || {
            check(perft_by_making(&start, 5), 133_312_995);
        }],
    );
    println!("perft 5, start position, CPU seconds, median of 3");
    println!("  leaves counted in bulk  {:6.2} s  {:6.1} Mnps", seconds[0], 133.313 / seconds[0]);
    println!("  every leaf made         {:6.2} s  {:6.1} Mnps", seconds[1], 133.313 / seconds[1]);
    println!("  ratio                   {:6.2}", seconds[1] / seconds[0]);
    if std::env::args().any(|argument| argument == "--deep") {
        let (seconds, nodes) = common::timed(|| perft(&start, 6));
        check(nodes, 5_392_831_844);
        println!("perft 6: {nodes} in {seconds:.1} s");
    }
}
