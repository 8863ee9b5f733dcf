//! The generated documents.

pub mod chart;
#[cfg(test)]
pub mod example;
pub mod fidelity;
pub mod headline;
pub mod markdown;
mod markup;
pub mod noise;
pub mod page;
pub mod place;
pub(crate) mod provenance;
pub mod readme;
pub mod results;
pub mod spec;
