//! `report --html`: what it writes and what it leaves alone; and, where there is a browser, the page
//! as the browser sees it after the script ran.

mod support;

use assert_cmd::Command;
use bench_runner::document::page::BANNER;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    time::Duration,
};
use support::{Fake, root, runner, text};

fn report(run: &Path, file: &Path, more: &[&str]) -> Output {
    runner().arg("report").arg(run).arg("--html").arg(file).args(more).output().expect("run")
}

/// A finished run of both layers with fake times.
fn finished() -> Fake {
    let fake = Fake::new();
    fake.run(&["B2", "H2", "--rounds", "8"]).assert().success();
    fake
}

#[test]
fn a_page_replaces_a_page_and_nothing_else() {
    let fake = finished();
    let [page, other] = ["page.html", "notes.html"].map(|name| fake.path().join(name));
    let read = |file: &Path| fs::read_to_string(file).expect("read");

    for time in ["first", "second"] {
        let output = report(&fake.out(), &page, &[]);
        assert!(output.status.success(), "{time}: {}", text(&output));
        assert!(read(&page).starts_with(BANNER), "{time}");
    }

    fs::write(&other, "<!doctype html>notes").expect("written");
    let before = fs::read_dir(fake.path()).expect("read").count();
    let output = report(&fake.out(), &other, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("notes.html") && text(&output).contains("--force"));
    assert_eq!(read(&other), "<!doctype html>notes");
    assert_eq!(fs::read_dir(fake.path()).expect("read").count(), before, "something was left");

    assert!(report(&fake.out(), &other, &["--force"]).status.success());
    assert_eq!(read(&other), read(&page));
}

#[test]
fn what_is_no_file_is_never_replaced() {
    let fake = finished();
    for more in [&[][..], &["--force"]] {
        let output = report(&fake.out(), &fake.out(), more);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("not a regular file"), "{}", text(&output));
    }
    let missing = fake.path().join("none/page.html");
    let output = report(&fake.out(), &missing, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("none/page.html"), "{}", text(&output));
}

#[test]
fn a_link_stays_a_link() {
    let fake = finished();
    let [target, link] = ["target.html", "link.html"].map(|name| fake.path().join(name));
    fs::write(&target, "notes").expect("written");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    assert_eq!(report(&fake.out(), &link, &[]).status.code(), Some(2));
    assert!(report(&fake.out(), &link, &["--force"]).status.success());
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&target).expect("read").starts_with(BANNER));
}

/// The first browser on PATH that can print a page after its script ran.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut dirs = std::env::split_paths(&path);
    dirs.find_map(|dir| {
        ["chromium", "chromium-browser"].map(|n| dir.join(n)).into_iter().find(|f| f.is_file())
    })
}

/// A page in the browser.
struct Browser {
    program: PathBuf,
    dir: tempfile::TempDir,
    page: PathBuf,
}

impl Browser {
    /// With the page of the published run; `None`, with a line that says why, if there is none.
    fn open() -> Option<Self> {
        let Some(program) = browser() else {
            println!("skipped: no chromium on PATH");
            return None;
        };
        let run = root().join("results/quick");
        if !run.exists() {
            println!("skipped: no published run");
            return None;
        }
        let dir = tempfile::tempdir().expect("a temporary directory");
        let page = dir.path().join("page.html");
        let output = report(&run, &page, &[]);
        assert!(output.status.success(), "{}", text(&output));
        Some(Self { program, dir, page })
    }

    /// The document at `hash` once its script ran.
    fn dom(&self, hash: &str) -> String {
        let output = Command::new(&self.program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", self.dir.path().join("profile").display()))
            .arg("--dump-dom")
            .arg(format!("file://{}{hash}", self.page.display()))
            .timeout(Duration::from_secs(180))
            .output()
            .expect("run");
        assert!(output.status.success(), "{}", text(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// Rows that are shown, in their order: benchmark, comparison, verdict, and the value sorted by in
/// the column of the ratio.
fn shown(dom: &str) -> Vec<(String, String, String, f64)> {
    let between = |text: &str, start: &str, end: &str| -> String {
        let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}"));
        rest.split_once(end).expect("an end").0.to_owned()
    };
    let rows = dom.split("<tr ").skip(1).filter_map(|row| row.split_once("</tr>"));
    rows.filter(|(row, _)| row.starts_with("data-group"))
        .filter(|(row, _)| !row.split_once('>').expect("a tag").0.contains("hidden"))
        .map(|(row, _)| {
            let link = between(row, "<a ", "</a>");
            let pair = between(row, "<td><b>", "</b></td>").replace("<b>", "").replace("</b>", "");
            (
                link.split_once('>').expect("a tag").1.to_owned(),
                pair,
                between(&between(row, "<span ", "/span>"), ">", "<"),
                between(row, "data-v=\"", "\"").parse().expect("a number"),
            )
        })
        .collect()
}

#[test]
fn the_script_shows_controls_and_the_comparisons_of_the_stacks() {
    let Some(browser) = Browser::open() else { return };
    let still = fs::read_to_string(&browser.page).expect("read");
    assert!(still.contains("<form id=\"controls\" hidden"), "controls that do nothing are shown");
    let everything = shown(&still).len();

    let dom = browser.dom("");
    let form = dom.split_once("<form id=\"controls\"").expect("the controls").1;
    assert!(!form.split_once('>').expect("a tag").0.contains("hidden"), "the controls are hidden");
    let rows = shown(&dom);
    assert!(!rows.is_empty() && rows.len() < everything, "{} of {everything}", rows.len());
    assert!(rows.iter().all(|(_, pair, ..)| !pair.contains("raw@")), "a floor is shown");
    assert!(dom.contains(&format!(">{} of {everything} comparisons<", rows.len())));
    assert_eq!(shown(&browser.dom("#all=1")).len(), everything);
}

#[test]
fn the_address_filters_and_sorts() {
    let Some(browser) = Browser::open() else { return };
    let all = shown(&browser.dom("#all=1"));

    // The two differences of B1 that no noise hides: a write transaction without a manager thread.
    let dom = browser.dom("#q=b1&verdict=faster&all=1&sort=-ratio");
    let rows = shown(&dom);
    let mut expected: Vec<_> = all
        .iter()
        .filter(|(id, _, verdict, _)| id.contains("B1") && verdict == "faster")
        .cloned()
        .collect();
    expected.sort_by(|a, b| b.3.total_cmp(&a.3));
    assert!(rows.len() > 1, "nothing to sort");
    assert_eq!(rows, expected);
    let head = dom.split_once("data-key=\"ratio\"").expect("the column").1;
    assert!(head.split_once('>').expect("a tag").0.contains("aria-sort=\"descending\""));

    let rows = shown(&browser.dom("#group=B4&pair=raw%40reth+against+nobody"));
    assert!(!rows.is_empty() && rows.iter().all(|(id, ..)| id.starts_with("B4/")), "{rows:?}");
    let rows = shown(&browser.dom("#pair=raw%40signet+against+raw%40reth"));
    assert!(!rows.is_empty(), "the control by its name");
    assert!(rows.iter().all(|(_, pair, ..)| pair == "raw@signet against raw@reth"), "{rows:?}");
}

#[test]
fn a_link_to_rounds_opens_them() {
    let Some(browser) = Browser::open() else { return };
    let dom = browser.dom("#rounds-B2/get/32B");
    assert!(shown(&dom).iter().all(|(id, ..)| id.starts_with("B2/get/32B")));
    let detail = dom.split_once("<tr class=\"detail\">").expect("no rounds").1;
    assert!(detail.contains("data-id=\"B2/get/32B\"") && detail.contains("role=\"slider\""));
    assert!(!browser.dom("").contains("<tr class=\"detail\">"), "rounds that none asked for");
}
