//! The generated documents.

#[cfg(test)]
pub mod example;
pub mod markdown;
pub mod page;
pub mod readme;
pub mod results;
pub mod spec;
