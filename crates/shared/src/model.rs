//! What each workload of layer B must read, or leave in the table, computed from the generated data
//! alone. Nothing here touches a database.

use crate::{
    catalogue::{Case, ValueSize},
    data::{DUP_SIZE, DupTable, Key, Puts, Table},
    scale::Scale,
    sink::Recorder,
};
use std::{cell::RefCell, collections::BTreeMap};

/// The data of a process, each part generated when it is first asked for.
#[derive(Debug)]
pub struct Data {
    /// Size of the data.
    pub scale: Scale,
    tables: RefCell<BTreeMap<usize, Table>>,
    dups: std::cell::OnceCell<DupTable>,
}

impl Data {
    /// Data of this size.
    pub fn new(scale: Scale) -> Self {
        Self { scale, tables: RefCell::default(), dups: std::cell::OnceCell::new() }
    }

    /// The table of values of this size. A clone: keys are few megabytes, values are not held.
    pub fn table(&self, size: ValueSize) -> Table {
        let mut tables = self.tables.borrow_mut();
        tables.entry(size.bytes()).or_insert_with(|| Table::new(size, self.scale)).clone()
    }

    /// The duplicates.
    pub fn dups(&self) -> &DupTable {
        self.dups.get_or_init(|| DupTable::new(self.scale))
    }

    /// Keys of one pass of look-ups in the table.
    pub fn lookup_keys(&self, table: &Table) -> Vec<Key> {
        table.lookups(self.scale).iter().map(|&i| table.keys[i]).collect()
    }

    /// Keys of one pass of look-ups among the duplicates.
    pub fn dup_keys(&self) -> Vec<Key> {
        self.dups().lookups(self.scale).iter().map(|&i| self.dups().keys[i]).collect()
    }

    /// Puts of a case that puts, never yet renewed; `None` for any other case.
    pub fn puts(&self, case: Case) -> Option<Puts> {
        match case {
            Case::Upsert { puts } | Case::Commit { puts, .. } => {
                let mut table = self.table(ValueSize::B32);
                Some(Puts::updates(&mut table, self.scale.of(puts)))
            }
            Case::GetDirty => {
                let mut table = self.table(ValueSize::B32);
                let looked_up = table.lookups(self.scale);
                Some(Puts::at(&mut table, &looked_up))
            }
            Case::Insert { puts } => Some(Puts::inserts(self.scale.of(puts), false)),
            Case::Append { puts } => Some(Puts::inserts(self.scale.of(puts), true)),
            _ => None,
        }
    }
}

/// What `case` reads, or what it leaves in the table after one iteration. B1 reads no data and has
/// no model here: its snapshot numbers are checked against libmdbx's own.
pub fn expected(case: Case, data: &Data) -> Recorder {
    let mut out = Recorder::default();
    match case {
        Case::Get { size, .. } => {
            let mut table = data.table(size);
            for index in table.lookups(data.scale) {
                out.found(&table.keys[index], &table.values.get(index));
            }
        }
        Case::GetDirty => {
            let mut puts = data.puts(case).expect("the case puts");
            puts.renew();
            puts.iter().for_each(|(key, value)| out.found(key, value));
        }
        Case::ScanForward { .. } => entries(&data.table(ValueSize::B32), 0.., &mut out),
        Case::ScanReverse => {
            let mut table = data.table(ValueSize::B32);
            for index in (0..table.keys.len()).rev() {
                out.found(&table.keys[index], &table.values.get(index));
            }
        }
        Case::SeekRange => {
            let table = data.table(ValueSize::B32);
            for start in table.midpoints(data.scale) {
                entries(&table, start..start + data.scale.range(), &mut out);
            }
        }
        Case::Upsert { .. } | Case::Commit { .. } | Case::Insert { .. } | Case::Append { .. } => {
            let mut contents = BTreeMap::new();
            if matches!(case, Case::Upsert { .. } | Case::Commit { .. }) {
                let mut table = data.table(ValueSize::B32);
                for index in 0..table.keys.len() {
                    contents.insert(table.keys[index], table.values.get(index));
                }
            }
            let mut puts = data.puts(case).expect("a writing case has puts");
            puts.renew();
            contents.extend(puts.iter().map(|(key, value)| (*key, value.to_vec())));
            contents.iter().for_each(|(key, value)| out.found(key, value));
        }
        Case::DupInsert { .. } | Case::DupLoad { .. } | Case::DupScan { .. } => {
            let dups = data.dups();
            (0..dups.keys.len()).for_each(|index| dups_of(dups, index, &mut out));
        }
        Case::DupsOfKey { .. } => {
            let dups = data.dups();
            dups.lookups(data.scale).into_iter().for_each(|index| dups_of(dups, index, &mut out));
        }
        _ => {}
    }
    out
}

fn entries(table: &Table, range: impl std::ops::RangeBounds<usize>, out: &mut Recorder) {
    let mut values = table.values.clone();
    for (index, key) in table.keys.iter().enumerate() {
        if range.contains(&index) {
            out.found(key, &values.get(index));
        }
    }
}

fn dups_of(dups: &DupTable, index: usize, out: &mut Recorder) {
    for dup in dups.dups[index].chunks_exact(DUP_SIZE) {
        out.found(&dups.keys[index], dup);
    }
}
