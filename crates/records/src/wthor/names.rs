use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use super::header::{HEADER_SIZE, Header};
use super::{PLAYER_SIZE, TOURNAMENT_SIZE};
use crate::record::Name;

/// More than 65,536 names of a tournament need.
const MOST_BYTES: u64 = 2 << 20;

/// The names that the numbers in the games stand for.
#[derive(Debug, Clone, Default)]
pub struct WthorNames {
    players: Vec<Name>,
    tournaments: Vec<Name>,
}

impl WthorNames {
    /// Takes the names from the contents of a `.jou` and a `.trn` file.
    pub fn from_bytes(players: &[u8], tournaments: &[u8]) -> WthorNames {
        WthorNames {
            players: names(players, PLAYER_SIZE),
            tournaments: names(tournaments, TOURNAMENT_SIZE),
        }
    }

    /// Looks for a `.jou` and a `.trn` file beside a file of games: one with
    /// the same stem, or else the first of its folder. Without them the
    /// numbers must do, as they must for games that come from no file.
    pub fn beside(games: &Path) -> io::Result<WthorNames> {
        if games.file_name().is_none() {
            return Ok(WthorNames::default());
        }
        let folder = match games.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            files.push(entry?.path());
        }
        files.sort();
        // The same stem first; the sort is stable.
        files.sort_by_key(|path| path.file_stem() != games.file_stem());
        let read = |kind: &str| {
            let file = files.iter().find(|path| {
                path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(kind))
            });
            file.map_or(Ok(Vec::new()), |path| discern_files::read(path, MOST_BYTES))
        };
        Ok(WthorNames::from_bytes(&read("jou")?, &read("trn")?))
    }

    /// The player with this number, or `#number`.
    pub fn player(&self, number: u16) -> Name {
        entry(&self.players, number)
    }

    /// The tournament with this number, or `#number`.
    pub fn tournament(&self, number: u16) -> Name {
        entry(&self.tournaments, number)
    }
}

fn names(bytes: &[u8], size: usize) -> Vec<Name> {
    let records = bytes.get(HEADER_SIZE..).unwrap_or_default().chunks_exact(size);
    let name = |record: &[u8]| -> String {
        record.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect()
    };
    records.map(|record| name(record).into()).collect()
}

fn entry(names: &[Name], number: u16) -> Name {
    names.get(usize::from(number)).cloned().unwrap_or_else(|| format!("#{number}").into())
}

/// Collects the names of a file that is being written.
#[derive(Debug)]
pub struct NameTable {
    size: usize,
    bytes: Vec<u8>,
    numbers: HashMap<Name, u16>,
}

impl NameTable {
    /// A table whose entry 0 stands for unknown names.
    pub fn new(size: usize, unknown: &str) -> NameTable {
        let mut table = NameTable { size, bytes: vec![0; HEADER_SIZE], numbers: HashMap::new() };
        table.number(&unknown.into());
        table.numbers.insert(Name::default(), 0);
        table
    }

    /// The number of a name, new if it must be; `None` when the table is full.
    ///
    /// A record holds Latin-1 and a closing zero: longer names are cut, other
    /// letters become question marks.
    pub fn number(&mut self, name: &Name) -> Option<u16> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let used = (self.bytes.len() - HEADER_SIZE) / self.size;
        let number = u16::try_from(used).ok().filter(|&number| number < u16::MAX)?;
        let end = self.bytes.len() + self.size;
        let latin = name.chars().map(|symbol| u8::try_from(symbol).unwrap_or(b'?'));
        self.bytes.extend(latin.take(self.size - 1));
        self.bytes.resize(end, 0);
        self.numbers.insert(name.clone(), number);
        Some(number)
    }

    /// The whole file.
    pub fn into_bytes(mut self) -> Vec<u8> {
        let names = ((self.bytes.len() - HEADER_SIZE) / self.size) as u16;
        let header = Header { names, ..Header::default() };
        self.bytes[..HEADER_SIZE].copy_from_slice(&header.to_bytes());
        self.bytes
    }
}
