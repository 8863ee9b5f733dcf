use super::*;
use crate::document::example;
use crate::pairs::between_stacks;
use bench_shared::summary::Comparison;

fn of_bindings(summary: &Summary) -> String {
    render(summary, Layer::Bindings).expect("a chart")
}

/// The example with another verdict, ratio and interval of its one comparison of the stacks.
fn changed(change: impl Fn(&mut Comparison)) -> Summary {
    let mut summary = example::summary();
    let mut stacks = summary.benches[0].comparisons.iter_mut();
    change(stacks.find(|c| between_stacks((&c.base, &c.other))).expect("a comparison of stacks"));
    summary
}

/// Names of the elements still open at the end; fails at an end tag without its beginning.
fn still_open(file: &str) -> Vec<&str> {
    let mut open = Vec::new();
    for tag in file.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or(tag));
        }
    }
    open
}

#[test]
fn a_chart_names_its_run_and_the_provenance() {
    let file = of_bindings(&example::summary());
    for part in [
        "Raw bindings: signet against reth",
        "quick run of 2025-01-02, 16 rounds",
        "reth side: provenance registry (published crates that stand in for reth, not reth itself)",
        "← reth faster",
        "signet faster →",
        "signet-unsync : reth",
        ">B2  point reads<",
        ">B2/get/32B<",
        "1 faster, 0 slower, 0 no measurable difference",
        "role=\"img\"",
    ] {
        assert!(file.contains(part), "{part}: {file}");
    }
}

#[test]
fn a_variant_is_marked_explained_and_not_counted() {
    let mut summary = example::summary();
    assert!(!of_bindings(&summary).contains('†'));
    summary.benches[0].id = "B2/get/32B/plain".into();
    let file = of_bindings(&summary);
    for part in [
        ">B2/get/32B/plain †<",
        ">† a variant: another build",
        "Variants, 1 of them, are",
        ": 0 faster",
    ] {
        assert!(file.contains(part), "{part}: {file}");
    }
}

#[test]
fn a_chart_is_well_formed_and_loads_nothing() {
    let mut summary = example::summary();
    summary.host.cpu = "a <CPU> & \"more\"".into();
    let file = of_bindings(&summary);
    assert!(still_open(&file).is_empty(), "{:?}", still_open(&file));
    assert!(file.contains("a &lt;CPU&gt; &amp; &quot;more&quot;"), "{file}");
    let links = file.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!links.contains("http") && !links.contains("url(") && !links.contains("href"));
    assert!(!file.contains("NaN") && !file.contains("inf"), "{file}");
}

#[test]
fn what_has_no_verdict_is_hollow_and_marked_equal() {
    let marks = |file: &str| file.matches("hollow\"").count();
    let decided = of_bindings(&example::summary());
    let open = of_bindings(&changed(|c| c.verdict = Verdict::None.name().into()));
    assert_eq!(marks(&open), marks(&decided) + 1);
    assert!(open.contains(">=</text>") && !decided.contains(">=</text>"));
}

#[test]
fn an_interval_beyond_the_axis_gets_an_arrow_head() {
    let heads = |file: &str| file.matches("\"head k0\"").count();
    // The legend has one of its own.
    assert_eq!(heads(&of_bindings(&example::summary())), 1);
    assert_eq!(heads(&of_bindings(&changed(|c| c.ci = [0.001, 1.2]))), 2);
    assert_eq!(heads(&of_bindings(&changed(|c| c.ci = [0.001, 1e4]))), 3);
}

#[test]
fn a_ratio_beyond_the_axis_is_an_arrow_with_its_figure() {
    let mut summary = example::summary();
    let near = summary.benches[0].clone();
    summary.benches = vec![near; 30];
    let stacks = summary.benches[0].comparisons.iter_mut();
    for c in stacks.filter(|c| between_stacks((&c.base, &c.other))) {
        (c.ratio, c.ci) = (234.0, [214.0, 258.0]);
    }
    let file = of_bindings(&summary);
    assert_eq!(file.matches("\"head k0\"").count(), 2, "one in the legend, one in the plot");
    assert_eq!(file.matches(">234<").count(), 2, "beside the mark and at the right edge");
    assert!(!file.contains(">200<"), "{file}");
}

#[test]
fn many_arms_and_long_names_stay_on_the_card() {
    let mut summary = example::summary();
    summary.host.cpu = "a processor of many words ".repeat(20);
    let bench = &mut summary.benches[0];
    let mut more = bench.comparisons[0].clone();
    for i in 0..4 {
        more.other = format!("signet-of-version-{i}");
        bench.comparisons.push(more.clone());
    }
    let file = of_bindings(&summary);
    let texts = file.split("<text ").skip(1).filter(|text| text.contains("\"start\""));
    let mut checked = 0;
    for text in texts {
        let (_, x) = text.split_once(" x=\"").expect("a position");
        let x: f64 = x.split('"').next().and_then(|x| x.parse().ok()).expect("a number");
        let (_, text) = text.split_once('>').expect("a tag");
        let letters = text.split('<').next().unwrap_or(text).chars().count();
        // The heading is larger, and short.
        assert!(x + 5.5 * letters as f64 <= WIDTH - MARGIN / 2.0, "{x}: {text}");
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn odd_figures_do_not_break_a_chart() {
    for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        let file = of_bindings(&changed(|c| (c.ratio, c.ci, c.noise_floor) = (odd, [odd; 2], odd)));
        assert!(still_open(&file).is_empty());
        let (_, drawing) = file.split_once("</style>").expect("a style");
        let drawn = drawing.split('"').skip(1).step_by(2);
        let odd_ones: Vec<_> =
            drawn.filter(|v| v.contains("NaN") || *v == "inf" || *v == "-inf").collect();
        assert!(odd_ones.is_empty(), "{odd}: {odd_ones:?}");
    }
}

#[test]
fn a_layer_without_stacks_has_no_chart() {
    assert_eq!(layers(&example::summary()), [Layer::Bindings]);
    assert_eq!(render(&example::summary(), Layer::HotDb), None);
    assert_eq!(embedded(&example::summary()).matches("![").count(), 1);
}

#[test]
fn a_run_that_does_not_count_says_so() {
    let summary = Summary { verified: false, complete: false, ..example::summary() };
    let file = of_bindings(&summary);
    assert!(file.contains("NOT VERIFIED") && file.contains("Interrupted"), "{file}");
}

#[test]
fn directions_are_named_by_sides_or_else_by_arms() {
    assert_eq!(names(&[("reth", "signet-unsync"), ("reth", "signet-sync")]), ["reth", "signet"]);
    assert_eq!(names(&[("reth#1", "reth#2")]), ["reth#1", "reth#2"]);
    let own = [("signet-unsync#1", "signet-unsync#2"), ("signet-sync#1", "signet-sync#2")];
    assert_eq!(names(&own), ["base", "other"]);
}

#[test]
fn long_lines_are_wrapped_at_words() {
    let text = "word ".repeat(99) + "a\u{a0}b";
    let lines = wrapped(&text);
    assert!(lines.len() > 1 && lines.iter().all(|l| l.chars().count() <= LINE));
    assert_eq!(lines.join(" "), text);
}
