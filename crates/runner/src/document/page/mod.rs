//! The results as one web page that needs nothing else: no network, no other file. It is a complete
//! table without JavaScript; with it, one that sorts and filters, with every round at hand.

mod html;
mod interval;
mod parts;
mod rounds;
mod table;

use bench_shared::summary::Summary;

/// First line of every page, by which a page is told from a file of someone else's.
pub const BANNER: &str = "<!doctype html><!-- a page of bench-runner: generated, do not edit -->\n";

const CSS: &str = include_str!("page.css");
const JS: &str = include_str!("page.js");

/// Nothing may be loaded, sent or framed: the page is what is in the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// The page.
pub fn render(summary: &Summary) -> String {
    let title = html::escape(&parts::title(summary));
    let mut out = format!(
        "{BANNER}<html lang=\"en-GB\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{title}</title>
<style>
{CSS}</style>
</head>
<body>
<main>
<h1>{title}</h1>
"
    );
    for section in [
        parts::facts(summary),
        parts::warnings(summary),
        parts::legend(summary),
        table::render(summary),
        rounds::figures(&summary.benches),
        parts::environment(summary),
        parts::stacks(summary),
    ] {
        out.push_str(&section);
    }
    out.push_str(&format!(
        "</main>\n<script type=\"application/json\" id=\"rounds-data\">{}</script>\n\
         <script>\n{JS}</script>\n</body>\n</html>\n",
        html::json(&rounds::data(&summary.benches))
    ));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{document::example, source::REPOSITORY, store};
    use bench_shared::summary::Bench;
    use std::{collections::BTreeMap, path::Path};

    /// The example as a comparison of the reth side with itself.
    fn self_test() -> Summary {
        let mut summary =
            Summary { self_test: Some("reth".into()), signet: None, ..example::summary() };
        let renamed = |name: &str| match name {
            "raw@reth" => "raw#1".to_owned(),
            "raw@signet" => "raw#2".to_owned(),
            "reth" => "reth#1".to_owned(),
            _ => "reth#2".to_owned(),
        };
        for bench in &mut summary.benches {
            let arms = std::mem::take(&mut bench.arms);
            bench.arms = arms.into_iter().map(|(name, arm)| (renamed(&name), arm)).collect();
            for c in &mut bench.comparisons {
                (c.base, c.other) = (renamed(&c.base), renamed(&c.other));
            }
        }
        summary
    }

    fn published() -> Option<Summary> {
        store::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/quick")).ok()
    }

    /// The embedded rounds.
    fn embedded(page: &str) -> BTreeMap<String, BTreeMap<String, Vec<f64>>> {
        let (_, rest) = page.split_once("id=\"rounds-data\">").expect("the data");
        let (json, _) = rest.split_once("</script>").expect("its end");
        serde_json::from_str(json).expect("JSON")
    }

    #[test]
    fn it_is_a_page_of_ours_and_the_same_each_time() {
        let page = render(&example::summary());
        assert!(page.starts_with(BANNER));
        assert_eq!(page, render(&example::summary()));
    }

    #[test]
    fn every_benchmark_comparison_and_warning_is_in_it() {
        for summary in published().into_iter().chain([example::summary(), self_test()]) {
            let page = render(&summary);
            for bench in &summary.benches {
                let row = format!("<th scope=\"row\"><a href=\"#{}\">", rounds::anchor(&bench.id));
                assert_eq!(page.matches(&row).count(), bench.comparisons.len(), "{}", bench.id);
                let figure = format!("<figure id=\"{}\"", rounds::anchor(&bench.id));
                assert_eq!(page.matches(&figure).count(), 1, "{}", bench.id);
            }
            for warning in &summary.warnings {
                assert!(page.contains(&html::escape(warning)), "{warning}");
            }
        }
    }

    #[test]
    fn the_rounds_are_those_of_the_summary() {
        for summary in published().into_iter().chain([example::summary(), self_test()]) {
            let data = embedded(&render(&summary));
            assert_eq!(data.len(), summary.benches.len());
            for bench in &summary.benches {
                assert_eq!(data[&bench.id].len(), bench.arms.len());
                for (name, arm) in &bench.arms {
                    let rounds = &data[&bench.id][name];
                    assert_eq!(rounds.len(), arm.rounds_ns.len());
                    for (shown, measured) in rounds.iter().zip(&arm.rounds_ns) {
                        assert!((shown / measured - 1.0).abs() < 1e-6, "{shown} for {measured}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_comes_from_the_run_cannot_become_markup() {
        let evil = "</script><img src=x onerror=\"alert('1')\">&";
        let mut summary = example::summary();
        summary.mode = evil.into();
        summary.warnings.push(evil.into());
        summary.filters.push(evil.into());
        summary.host.cpu = evil.into();
        summary.host.git = evil.into();
        summary.conditions.flags.insert(evil.into(), evil.into());
        for side in [&mut summary.reth, &mut summary.signet].into_iter().flatten() {
            side.provenance = evil.into();
            side.packages.insert(evil.into(), evil.into());
            side.engine.options = evil.into();
        }
        for bench in &mut summary.benches {
            bench.id = evil.into();
            bench.group = evil.into();
            for arm in bench.arms.clone().into_values() {
                bench.arms.insert(evil.into(), arm);
            }
            for c in &mut bench.comparisons {
                c.base = evil.into();
                c.verdict = evil.into();
            }
        }
        let page = render(&summary);
        assert!(!page.contains("<img"), "markup from the run");
        // The data and the program: no other end of a script.
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)"));
        assert!(embedded(&page).contains_key(evil));
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        // Where reth is from stands in the text.
        let page = render(&published().unwrap_or_else(example::summary)).replace(REPOSITORY, "");
        for reference in ["http://", "https://", "src=", "@import", "url(", "<link", "<base"] {
            assert!(!page.contains(reference), "{reference}");
        }
        assert!(page.contains("default-src 'none'"));
        let foreign = page.split("href=\"").skip(1).find(|rest| !rest.starts_with('#'));
        assert_eq!(foreign.map(|rest| &rest[..40]), None);
    }

    #[test]
    fn a_self_test_says_so_and_shows_its_comparisons() {
        let page = render(&self_test());
        assert!(page.contains("against itself"), "no word of the self-test");
        assert!(page.contains("reth#2</b> against <b>reth#1"), "no comparison");
        // Two of an arm; not the wrapper on its floor.
        assert_eq!(page.matches("data-main").count(), 2);
    }

    #[test]
    fn the_largest_run_stays_below_a_megabyte() {
        let mut summary = published().unwrap_or_else(example::summary);
        let bench = summary.benches.iter().max_by_key(|b| b.arms.len()).expect("one").clone();
        let longer = |mut bench: Bench| {
            for arm in bench.arms.values_mut() {
                arm.rounds_ns = arm.rounds_ns.iter().copied().cycle().take(50).collect();
            }
            bench
        };
        summary.benches = (0..61)
            .map(|i| longer(Bench { id: format!("{}/{i}", bench.id), ..bench.clone() }))
            .collect();
        let size = render(&summary).len();
        assert!(size < 1_000_000, "{size} bytes");
    }
}
