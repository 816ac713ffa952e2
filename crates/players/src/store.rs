use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use discern_book::BookFile;
use discern_eval::{AnyEvaluator, Weights, evaluator, hand_set};
use discern_search::{Engine, Options};

use crate::error::JobError;
use crate::fingerprint::{Fingerprint, fingerprint_of_bytes};
use crate::named::engine_of;
use crate::shard_folder::write_whole;
use crate::spec::{Defaults, PlayerSpec, Who};

/// No honest weight file is larger.
const MOST: u64 = 1 << 30;

/// Weights by the hash of their content: every player and worker of a process
/// shares them, and the evaluators that they make.
///
/// It knows the shipped weights, the files it was told of, and those in the
/// folders of runs. Clones are the same store.
#[derive(Clone, Default)]
pub struct WeightStore(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    files: HashMap<Fingerprint, Cow<'static, [u8]>>,
    weights: HashMap<Fingerprint, Weights>,
    books: HashMap<Fingerprint, Arc<BookFile>>,
    folders: Vec<PathBuf>,
}

impl WeightStore {
    /// A store with the shipped weights.
    pub fn new() -> WeightStore {
        WeightStore::default()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().expect("nobody panics while holding it")
    }

    /// Reads a weight file and names it by its content.
    ///
    /// # Errors
    /// If it cannot be read or is no weight file.
    pub fn read(&self, path: &Path) -> Result<Fingerprint, JobError> {
        let failed = |what: String| JobError::File(path.to_owned(), what);
        let bytes = discern_files::read(path, MOST).map_err(|error| failed(error.to_string()))?;
        let name = fingerprint_of_bytes(&bytes);
        let mut inner = self.inner();
        if !inner.weights.contains_key(&name) {
            let weights = Weights::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
            inner.weights.insert(name.clone(), weights);
            inner.files.insert(name.clone(), bytes.into());
        }
        Ok(name)
    }

    /// Adds weights that are in memory, and names them.
    pub fn add(&self, weights: Weights) -> Fingerprint {
        let (bytes, name) = (weights.to_bytes(), weights.hash().to_owned());
        let mut inner = self.inner();
        inner.weights.insert(name.clone(), weights);
        inner.files.insert(name.clone(), bytes.into());
        name
    }

    /// Looks for weights in the folder of a run, too.
    pub fn add_folder(&self, folder: &Path) {
        let mut inner = self.inner();
        if !inner.folders.iter().any(|known| known == folder) {
            inner.folders.push(folder.to_owned());
        }
    }

    /// Completes players by these defaults, then each as [`WeightStore::settle`]
    /// does.
    ///
    /// # Errors
    /// If there is no such model or its weights cannot be read.
    pub fn complete(
        &self,
        players: &mut [PlayerSpec],
        defaults: &Defaults,
    ) -> Result<(), JobError> {
        players.iter_mut().try_for_each(|player| {
            player.fill(defaults);
            self.settle(player)
        })
    }

    /// Completes a player: its weights and its book by their content, the shipped ones if
    /// the model needs some and none are named, and its name.
    ///
    /// # Errors
    /// If there is no such model or its weights cannot be read.
    pub fn settle(&self, player: &mut PlayerSpec) -> Result<(), JobError> {
        let named = |name: &str, what: String| match name {
            "" => JobError::Plan(what),
            name => JobError::Plan(format!("{name}: {what}")),
        };
        let engine = match &mut player.who {
            Who::Engine(engine) => engine,
            Who::Program(program) => {
                if player.name.is_empty() {
                    let command = program.command().map_err(|e| named("cmd", e.to_string()))?;
                    let file = Path::new(command.program()).file_name().unwrap_or_default();
                    player.name = file.to_string_lossy().into_owned();
                }
                return Ok(());
            }
        };
        let mut name = engine.model.clone();
        let learned = hand_set(&name).is_none();
        match engine.weights.take() {
            Some(_) if !learned => {
                return Err(named(&player.name, format!("{name} has no weight file")));
            }
            Some(given) => {
                let hash = match is_hash(&given) && self.bytes(&given).is_ok() {
                    true => given,
                    false => self.read(Path::new(&given))?,
                };
                name = format!("{name}-{}", &hash[..8]);
                engine.weights = Some(hash);
            }
            None if learned => engine.weights = Some(discern_data::weights().hash().into()),
            None => {}
        }
        if let Some(book) = &mut engine.book {
            let file =
                self.open_book(&book.file).map_err(|e| named(&player.name, e.to_string()))?;
            book.file = file.id().to_owned();
            name.push_str("-book");
        }
        // Whoever plans hears at once what the weights do not have.
        self.evaluator(&engine.model, engine.weights.as_deref())
            .map_err(|error| named(&player.name, error.to_string()))?;
        if player.name.is_empty() {
            player.name = name;
        }
        Ok(())
    }

    /// Opens a book by its path, by the id of its content, or the shipped one.
    ///
    /// # Errors
    /// If it is no book.
    pub fn open_book(&self, given: &str) -> Result<Arc<BookFile>, JobError> {
        if is_hash(given)
            && let Ok(book) = self.book(given)
        {
            return Ok(book);
        }
        let book = match given {
            "shipped" => shipped_book()?,
            path => Arc::new(BookFile::open(path).map_err(|error| {
                JobError::File(path.into(), format!("cannot be used as a book: {error}"))
            })?),
        };
        self.inner().books.insert(book.id().to_owned(), book.clone());
        Ok(book)
    }

    /// Opens the book of this name, or the shipped one; `None` if there is none
    /// or it is called `none`.
    ///
    /// # Errors
    /// If it is no book.
    pub fn book_if_any(&self, given: Option<&str>) -> Result<Option<Arc<BookFile>>, JobError> {
        match given {
            Some("none") => Ok(None),
            None if discern_data::BOOK.is_none() => Ok(None),
            given => self.open_book(given.unwrap_or("shipped")).map(Some),
        }
    }

    /// The book with this content.
    ///
    /// # Errors
    /// If it is not at hand, or a file of this name has other content.
    pub fn book(&self, name: &str) -> Result<Arc<BookFile>, JobError> {
        if let Some(book) = self.inner().books.get(name) {
            return Ok(book.clone());
        }
        let shipped = shipped_book().ok().filter(|book| book.id() == name);
        let folders = self.inner().folders.clone();
        let found = folders.iter().map(|folder| folder.join(format!("{name}.book")));
        let book = match (shipped, found.clone().find(|path| path.exists())) {
            (Some(book), _) => book,
            (None, Some(path)) => {
                let fault = |what: String| JobError::File(path.clone(), what);
                let book = BookFile::open(&path).map_err(|error| fault(error.to_string()))?;
                if book.id() != name {
                    return Err(fault(format!("this is not the plan's book, but {}", book.id())));
                }
                Arc::new(book)
            }
            (None, None) => {
                return Err(JobError::Plan(format!("the book {name} is not at hand")));
            }
        };
        self.inner().books.insert(name.to_owned(), book.clone());
        Ok(book)
    }

    /// The weights with this content.
    ///
    /// # Errors
    /// If they are not at hand, or a file of this name has other content.
    pub fn weights(&self, name: &str) -> Result<Weights, JobError> {
        if discern_data::weights().hash() == name {
            return Ok(discern_data::weights().clone());
        }
        if let Some(weights) = self.inner().weights.get(name) {
            return Ok(weights.clone());
        }
        let bytes = self.bytes(name)?;
        let weights = Weights::from_bytes(&bytes)
            .map_err(|error| JobError::Plan(format!("weights {name}: {error}")))?;
        Ok(self.inner().weights.entry(name.to_owned()).or_insert(weights).clone())
    }

    /// The evaluator of a model with these weights.
    ///
    /// # Errors
    /// If the weights are not at hand or do not have it.
    pub fn evaluator(&self, model: &str, weights: Option<&str>) -> Result<AnyEvaluator, JobError> {
        let weights = weights.map(|name| self.weights(name)).transpose()?;
        evaluator(model, weights.as_ref()).map_err(|error| JobError::Plan(error.to_string()))
    }

    /// A searcher with a model.
    ///
    /// # Errors
    /// As [`WeightStore::evaluator`], and without memory for the table.
    pub fn engine(
        &self,
        model: &str,
        weights: Option<&str>,
        options: Options,
    ) -> Result<Box<dyn Engine>, JobError> {
        engine_of(self.evaluator(model, weights)?, options)
    }

    /// Copies the weights of players into a run's folder, which then is all
    /// that another machine needs.
    pub fn copy_to<'a>(
        &self,
        folder: &Path,
        players: impl IntoIterator<Item = &'a PlayerSpec>,
    ) -> Result<(), JobError> {
        for player in players {
            if let Who::Engine(engine) = &player.who
                && let Some(name) = &engine.weights
            {
                let target = path_of(folder, name);
                if !target.exists() {
                    write_whole(&target, &self.bytes(name)?)?;
                }
            }
            if let Who::Engine(engine) = &player.who
                && let Some(book) = &engine.book
            {
                let target = folder.join(format!("{}.book", book.file));
                if !target.exists() {
                    write_whole(&target, self.book(&book.file)?.bytes())?;
                }
            }
        }
        Ok(())
    }

    /// The weight file with this content.
    fn bytes(&self, name: &str) -> Result<Cow<'static, [u8]>, JobError> {
        let inner = self.inner();
        if let Some(bytes) = inner.files.get(name) {
            return Ok(bytes.clone());
        }
        if discern_data::weights().hash() == name {
            return Ok(discern_data::WEIGHTS.into());
        }
        for path in inner.folders.iter().map(|folder| path_of(folder, name)) {
            if let Ok(bytes) = discern_files::read(&path, MOST) {
                let found = fingerprint_of_bytes(&bytes);
                if found != name {
                    let what = format!("these are not the plan's weights, but {found}");
                    return Err(JobError::File(path, what));
                }
                return Ok(bytes.into());
            }
        }
        Err(JobError::Plan(format!("the weights {name} are not at hand")))
    }
}

/// The book that comes with the program.
fn shipped_book() -> Result<Arc<BookFile>, JobError> {
    let bytes = discern_data::BOOK
        .ok_or_else(|| JobError::Plan("no opening book comes with this program".into()))?;
    let book = BookFile::from_bytes(bytes);
    book.map(Arc::new).map_err(|error| JobError::Plan(format!("the shipped book: {error}")))
}

fn is_hash(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Where a run's folder keeps weights.
fn path_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.weights"))
}
