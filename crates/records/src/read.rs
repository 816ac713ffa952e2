use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use discern_board::Game;

use crate::archive::{ArchiveReader, Tail};
use crate::fault::{Fault, FileFault, Place, Reason};
use crate::format::Format;
use crate::record::GameRecord;

/// How much of a file decides on its format.
const START: usize = 1 << 13;

/// The games of one file, whatever its format.
///
/// Faults come between the games, each with file and place; reading goes on
/// behind them where the format allows it.
pub struct GameFile {
    path: PathBuf,
    format: Format,
    games: Games,
    position: Arc<AtomicU64>,
}

/// Where a reader of a format reads from.
pub(crate) type Input = BufReader<Counted<Box<dyn Read + Send>>>;

/// The games of a file as a reader of its format gives them.
pub(crate) enum Games {
    Archive(Box<ArchiveReader<Input>>),
    Other(Box<dyn Iterator<Item = Result<GameRecord, Fault>> + Send>),
}

impl Games {
    pub fn other(games: impl Iterator<Item = Result<GameRecord, Fault>> + Send + 'static) -> Games {
        Games::Other(Box::new(games))
    }
}

impl GameFile {
    /// Opens a file and tells its format from its content, or takes the one
    /// given.
    pub fn open(path: impl AsRef<Path>, format: Option<Format>) -> Result<GameFile, FileFault> {
        let path = path.as_ref();
        let file = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(file),
        });
        let fault = |reason: Reason| FileFault {
            path: path.to_owned(),
            fault: Fault::new(Place::default(), reason),
        };
        GameFile::from_reader(file.map_err(|error| fault(error.into()))?, path, format)
    }

    /// The file that a person means: a path, or `-` for standard input; `None`
    /// if the text must be something else.
    pub fn given(text: &str, format: Option<Format>) -> Result<Option<GameFile>, FileFault> {
        match Path::new(text) {
            path if text == "-" => GameFile::from_reader(io::stdin(), path, format).map(Some),
            path if path.exists() || text.contains(['.', '/']) => {
                GameFile::open(path, format).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Reads games from somewhere else; `path` is what messages call it, and
    /// where names are looked for.
    pub fn from_reader(
        input: impl Read + Send + 'static,
        path: impl AsRef<Path>,
        format: Option<Format>,
    ) -> Result<GameFile, FileFault> {
        let path = path.as_ref().to_owned();
        let position = Arc::new(AtomicU64::new(0));
        let input: Box<dyn Read + Send> = Box::new(input);
        let counted = Counted { input, count: position.clone() };
        let mut input = BufReader::with_capacity(1 << 16, counted);
        let opened = tell_format(&mut input, &path, format)
            .and_then(|format| Ok((format, (format.description().read)(input, &path)?)));
        match opened {
            Ok((format, games)) => Ok(GameFile { path, format, games, position }),
            Err(fault) => Err(FileFault { path, fault }),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Bytes read so far, for progress bars.
    pub fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// The games with their numbers in the file, from 1.
    pub fn numbered(&mut self) -> impl Iterator<Item = (u64, Result<GameRecord, FileFault>)> {
        self.scan(0, |last, game| {
            *last += 1;
            if let Err(fault) = &game {
                *last = fault.fault.place.game.unwrap_or(*last);
            }
            Some((*last, game))
        })
    }

    /// Reads up to the game with this number, from 1; the plans of the file are
    /// then those before it.
    ///
    /// # Errors
    /// If that game cannot be read, or there are fewer games.
    pub fn game(&mut self, number: u64) -> Result<GameRecord, FileFault> {
        let mut last = 0;
        for (at, game) in self.numbered() {
            if at == number {
                return game;
            }
            last = at;
        }
        let fault = Fault::new(Place::default(), Reason::NoGame { number, last });
        Err(FileFault { path: self.path.clone(), fault })
    }

    /// The games as openings to play on from.
    ///
    /// # Errors
    /// If there is none, or one of them is over.
    pub fn openings(self) -> Result<Vec<Game>, FileFault> {
        let path = self.path.clone();
        let fault =
            |place, reason| FileFault { path: path.clone(), fault: Fault::new(place, reason) };
        let mut openings = Vec::new();
        for record in self {
            let game = record?.game;
            if game.is_over() {
                let number = openings.len() as u64 + 1;
                return Err(fault(Place::game(number), Reason::FinishedOpening));
            }
            openings.push(game);
        }
        match openings.is_empty() {
            true => Err(fault(Place::default(), Reason::NoOpening)),
            false => Ok(openings),
        }
    }

    /// The plans of an archive, as far as reading has come; that of its first
    /// game is known from the start.
    pub fn plans(&self) -> &[String] {
        match &self.games {
            Games::Archive(reader) => reader.plans(),
            Games::Other(_) => &[],
        }
    }

    /// The unfinished block at the end of an archive, once reading has come
    /// to it.
    pub fn tail(&self) -> Option<Tail> {
        match &self.games {
            Games::Archive(reader) => reader.tail(),
            Games::Other(_) => None,
        }
    }
}

/// The format given, or the one that the content tells.
fn tell_format(input: &mut Input, path: &Path, given: Option<Format>) -> Result<Format, Fault> {
    let fault = |reason: Reason| Fault::new(Place::default(), reason);
    let start = input.fill_buf().map_err(|error| fault(error.into()))?;
    let start = &start[..start.len().min(START)];
    given.or_else(|| Format::detect(path, start)).ok_or_else(|| fault(Reason::UnknownFormat))
}

impl Iterator for GameFile {
    type Item = Result<GameRecord, FileFault>;

    fn next(&mut self) -> Option<Result<GameRecord, FileFault>> {
        let game = match &mut self.games {
            Games::Archive(reader) => reader.next(),
            Games::Other(reader) => reader.next(),
        };
        Some(game?.map_err(|fault| FileFault { path: self.path.clone(), fault }))
    }
}

/// Counts the bytes that go through.
pub(crate) struct Counted<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// The files of games that some paths stand for, in their order; `-`, standard
/// input, stands for itself.
///
/// # Errors
/// If one cannot be read, or is a folder without such files.
pub fn files_of_all(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FileFault> {
    let mut all = Vec::new();
    for path in paths {
        let files = match path == Path::new("-") {
            true => vec![path.clone()],
            false => files_of(path)?,
        };
        if files.is_empty() {
            let fault = Fault::new(Place::default(), Reason::NoFiles);
            return Err(FileFault { path: path.clone(), fault });
        }
        all.extend(files);
    }
    Ok(all)
}

/// The files of games that a path stands for: itself, or for a folder all
/// files in it whose names end like those of a format we know, in the order
/// of their names. Folders within are not searched.
pub fn files_of(path: impl AsRef<Path>) -> Result<Vec<PathBuf>, FileFault> {
    let path = path.as_ref();
    let list = || -> io::Result<Vec<PathBuf>> {
        if !fs::metadata(path)?.is_dir() {
            return Ok(vec![path.to_owned()]);
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(path)? {
            let file = entry?.path();
            if Format::from_path(&file).is_some() && fs::metadata(&file)?.is_file() {
                files.push(file);
            }
        }
        files.sort();
        Ok(files)
    };
    list().map_err(|error| FileFault {
        path: path.to_owned(),
        fault: Fault::new(Place::default(), error),
    })
}
