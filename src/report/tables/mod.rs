//! The database as tables for other programs: `games`, `moves`, `positions`.
