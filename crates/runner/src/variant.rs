//! Benchmarks that are a variant of another, or compare unlike work: they are shown, and left out of
//! what is counted over all benchmarks.

use bench_shared::{
    catalogue::{self, Bench, Build, Case, Timeout},
    summary::Bench as Measured,
};

/// What stands behind the id of a variant.
pub const MARK: &str = "†";

/// What the mark means, in two lines.
const FOOTNOTE: &str = "† a variant: another build or setting of reth's side, or unlike tables;\n\
     not counted in headline and totals";

/// Whether a benchmark is a variant. One that this version's catalogue does not know is none.
pub fn is_variant(id: &str) -> bool {
    catalogue::bench(id).is_some_and(of)
}

fn of(bench: &Bench) -> bool {
    let setting = bench.build == Build::Plain
        || matches!(bench.case, Case::BeginRo { timeout: Timeout::Unbounded, .. });
    // reth reads tables keyed by hashes there, signet its plain ones.
    let unlike = matches!(bench.case, Case::HashedAccounts { .. } | Case::HashedSlots { .. });
    setting || unlike
}

/// The benchmarks that are none.
pub fn counted(benches: &[Measured]) -> Vec<Measured> {
    benches.iter().filter(|bench| !is_variant(&bench.id)).cloned().collect()
}

/// What the mark means, in two lines, if one of these benchmarks is a variant.
pub fn footnote<'a>(mut ids: impl Iterator<Item = &'a str>) -> Option<&'static str> {
    ids.any(is_variant).then_some(FOOTNOTE)
}

/// As [`footnote`], in one line.
pub fn footnote_line<'a>(ids: impl Iterator<Item = &'a str>) -> Option<String> {
    footnote(ids).map(|text| text.replace('\n', " "))
}

/// The id, with the mark if it is that of a variant.
pub fn marked(id: &str) -> String {
    suffixed(id.to_owned(), id)
}

/// As [`marked`], in Markdown.
pub fn marked_code(id: &str) -> String {
    suffixed(format!("`{id}`"), id)
}

/// A text that names a benchmark, with the mark if that is a variant.
pub fn suffixed(text: String, id: &str) -> String {
    if is_variant(id) { format!("{text} {MARK}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bench_shared::catalogue::BENCHES;

    #[test]
    fn builds_settings_and_unlike_tables_are_variants() {
        for bench in BENCHES {
            let named =
                ["plain", "unbounded", "/hashed"].iter().any(|part| bench.id.contains(part));
            assert_eq!(is_variant(bench.id), named, "{}", bench.id);
        }
        for part in ["plain", "unbounded", "H1/hashed", "H2/hashed"] {
            assert!(BENCHES.iter().any(|b| b.id.contains(part) && is_variant(b.id)), "{part}");
        }
        assert!(!is_variant("Z9/hashed"), "not of this catalogue");
    }

    #[test]
    fn a_variant_is_marked() {
        assert_eq!(marked("B2/get/32B"), "B2/get/32B");
        assert_eq!(marked("H1/hashed"), "H1/hashed †");
        assert_eq!(marked_code("H1/hashed"), "`H1/hashed` †");
    }
}
