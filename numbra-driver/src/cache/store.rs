//! The files of one function in a directory of the cache.

use super::{Damage, Index, IndexEntry, Stored};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fmt, process};

/// No file of the cache is that large.
const MOST_BYTES: u64 = 1 << 30;

/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_millis(200);

/// Where the entries of one function are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    /// The directory.
    directory: PathBuf,
    /// `module.function`: what file names start with.
    name: String,
    /// What the name of the index has beyond that: line and version of Python.
    suffix: String,
    /// The user whose directories are trusted.
    user: u32,
}

/// Why nothing is read from a directory or written to it.
#[derive(Debug)]
pub enum Refusal {
    /// It belongs to another user.
    Owner(PathBuf),
    /// The system says no.
    System(PathBuf, io::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Owner(path) => {
                write!(
                    f,
                    "the directory {} belongs to another user",
                    path.display()
                )
            }
            Refusal::System(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for Refusal {}

/// What a file holds: nothing where there is none.
type Found<T> = Option<Result<T, Damage>>;

impl Store {
    /// The store of a function. Nothing is made before something is saved.
    pub fn new(directory: PathBuf, name: String, suffix: String, user: u32) -> Store {
        Store {
            directory,
            name,
            suffix,
            user,
        }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The index file.
    pub fn index_path(&self) -> PathBuf {
        self.directory
            .join(format!("{}{}.nbi", self.name, self.suffix))
    }

    /// The index of the function.
    pub fn index(&self) -> Found<Index> {
        if !self.is_trusted() {
            return None;
        }
        let bytes = read(&self.index_path())?;
        Some(Index::from_bytes(&bytes))
    }

    /// Indexes of functions of the same name at other lines: one that has moved has its entries there.
    pub fn other_indexes(&self) -> Vec<Index> {
        let own = self.index_path();
        let (Ok(listing), true) = (fs::read_dir(&self.directory), self.is_trusted()) else {
            return Vec::new();
        };
        let start = format!("{}-", self.name);
        let mut paths: Vec<PathBuf> = listing
            .flatten()
            .filter(|file| {
                let name = file.file_name();
                let name = name.to_string_lossy();
                name.starts_with(&start) && name.ends_with(".nbi")
            })
            .map(|file| file.path())
            .filter(|path| *path != own)
            .collect();
        paths.sort_unstable();
        paths
            .iter()
            .filter_map(|path| Index::from_bytes(&read(path)?).ok())
            .collect()
    }

    /// The data of an entry.
    pub fn data(&self, entry: &IndexEntry) -> Found<Stored> {
        // Names in an index are names in its directory.
        if Path::new(&entry.data).file_name()? != entry.data.as_str() || !self.is_trusted() {
            return None;
        }
        let stored = Stored::from_bytes(&read(&self.directory.join(&entry.data))?);
        Some(stored.and_then(|stored| {
            if stored.key == entry.key && stored.manifest == entry.manifest.digest() {
                Ok(stored)
            } else {
                Err(Damage("it belongs to another entry"))
            }
        }))
    }

    /// The path of the data of an entry.
    pub fn data_path(&self, entry: &IndexEntry) -> PathBuf {
        self.directory.join(&entry.data)
    }

    /// Saves an entry. Other processes may do the same at the same time: each sees whole files only.
    pub fn save(
        &self,
        key: super::Digest,
        manifest: super::Manifest,
        stored: &Stored,
    ) -> Result<IndexEntry, Refusal> {
        let system = |error| Refusal::System(self.directory.clone(), error);
        fs::create_dir_all(&self.directory).map_err(system)?;
        if !self.is_trusted() {
            return Err(Refusal::Owner(self.directory.clone()));
        }
        let bytes = stored.to_bytes();
        let mut content = super::Digester::of("data");
        content.bytes(&bytes);
        let data = format!(
            "{}{}.{}.nbc",
            self.name,
            self.suffix,
            content.finish().short()
        );
        let entry = IndexEntry {
            key,
            manifest,
            data,
        };
        // Without the lock an entry of another process may be lost from the index, which costs a compilation.
        let _lock = self.lock();
        self.write(&self.data_path(&entry), &bytes)
            .map_err(system)?;
        let before = self.index().and_then(Result::ok).unwrap_or_default();
        let mut index = before.clone();
        index.insert(entry.clone());
        self.write(&self.index_path(), &index.to_bytes())
            .map_err(system)?;
        for old in before.entries {
            if index.entries.iter().all(|e| e.data != old.data)
                && Path::new(&old.data)
                    .file_name()
                    .is_some_and(|n| n == old.data.as_str())
            {
                // Whoever has just read the index finds no data and compiles.
                let _ = fs::remove_file(self.directory.join(&old.data));
            }
        }
        Ok(entry)
    }

    /// Forgets all entries of the function at its present line.
    pub fn flush(&self) {
        if self.is_trusted() {
            let _ = fs::remove_file(self.index_path());
        }
    }

    /// The directory is there and belongs to the user.
    fn is_trusted(&self) -> bool {
        owner(&self.directory).is_some_and(|owner| owner == self.user)
    }

    /// The lock of writers, on the directory itself; `None` where it is not to be had.
    fn lock(&self) -> Option<File> {
        let file = File::open(&self.directory).ok()?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Some(file),
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
            }
        }
    }

    /// Writes beside the place and renames.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Random: processes of several machines may share the directory.
        let number = RandomState::new().hash_one(process::id());
        let temporary = self.directory.join(format!(".numbra-{number:016x}.tmp"));
        let written = File::create_new(&temporary)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let file = open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let len = metadata.len();
    if !metadata.is_file() || len > MOST_BYTES {
        return None;
    }
    let mut bytes = Vec::with_capacity(len as usize);
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Opens for reading. Returns at once: a pipe that nobody writes to would wait for a writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

/// The user that a directory belongs to; the present one where there are no users.
#[cfg(unix)]
fn owner(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).ok()?;
    metadata.is_dir().then(|| metadata.uid())
}

#[cfg(not(unix))]
fn owner(path: &Path) -> Option<u32> {
    fs::metadata(path).ok()?.is_dir().then_some(0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::{Digest, Manifest, Question};
    use super::*;
    use crate::Tier;
    use std::os::unix::fs::MetadataExt;

    fn store(name: &str) -> Store {
        let directory = std::env::temp_dir().join(format!("numbra-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a directory for tests");
        let user = fs::metadata(&directory).expect("it is there").uid();
        let suffix = "-3.py311".to_owned();
        Store::new(directory, "m.f".to_owned(), suffix, user)
    }

    fn save(store: &Store, answer: u8) -> IndexEntry {
        let name = Question::IsEnum("f".to_owned());
        let manifest = Manifest {
            answers: vec![(name, Digest([answer; 32]))],
        };
        let stored = Stored {
            key: Digest([1; 32]),
            manifest: manifest.digest(),
            generator: Tier::Cranelift,
            entry: "f".to_owned(),
            ret: "int64".to_owned(),
            positions: Vec::new(),
            artifact: vec![answer; 100],
        };
        store
            .save(stored.key, manifest, &stored)
            .expect("the directory is writable")
    }

    fn files(store: &Store) -> Vec<String> {
        let listing = fs::read_dir(store.directory()).expect("it is there");
        let mut names: Vec<String> = listing
            .flatten()
            .map(|f| f.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn what_is_saved_is_found() {
        let store = store("saved");
        assert!(store.index().is_none());
        let (first, second) = (save(&store, 1), save(&store, 2));
        assert_eq!(files(&store).len(), 3, "an index and two data files");
        let index = store.index().expect("there is one").expect("it is whole");
        assert_eq!(index.entries, [first.clone(), second]);
        let stored = store.data(&first).expect("there").expect("whole");
        assert_eq!(stored.artifact, [1; 100]);
        let moved = Store {
            suffix: "-5.py311".to_owned(),
            ..store.clone()
        };
        assert!(moved.index().is_none());
        assert_eq!(moved.other_indexes(), [index]);
        assert!(store.other_indexes().is_empty());
        store.flush();
        assert!(store.index().is_none());
        let _ = fs::remove_dir_all(store.directory());
    }

    #[test]
    fn damage_is_seen_and_mended() {
        let store = store("damage");
        let entry = save(&store, 1);
        fs::write(store.data_path(&entry), b"nothing").expect("writable");
        assert!(store.data(&entry).expect("there").is_err());
        fs::write(store.index_path(), b"nothing").expect("writable");
        assert!(store.index().expect("there").is_err());
        let again = save(&store, 1);
        assert!(store.data(&again).expect("there").is_ok());
        let outside = IndexEntry {
            data: "../passwd".to_owned(),
            ..again
        };
        assert!(store.data(&outside).is_none());
        let _ = fs::remove_dir_all(store.directory());
    }

    #[test]
    fn directories_of_others_are_refused() {
        let own = store("owner");
        let entry = save(&own, 1);
        let other = Store {
            user: own.user + 1,
            ..own.clone()
        };
        assert!(other.index().is_none() && other.data(&entry).is_none());
        assert!(other.other_indexes().is_empty());
        let stored = own.data(&entry).expect("there").expect("whole");
        let refused = other.save(entry.key, entry.manifest, &stored);
        assert!(matches!(refused, Err(Refusal::Owner(_))));
        let _ = fs::remove_dir_all(own.directory());
    }

    #[test]
    fn many_writers_lose_nothing() {
        let store = store("writers");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let store = &store;
                scope.spawn(move || {
                    for turn in 0..8 {
                        save(store, writer);
                        let index = store.index().expect("there").expect("whole");
                        assert!(!index.entries.is_empty(), "turn {turn}");
                    }
                });
            }
        });
        let index = store.index().expect("there").expect("whole");
        assert_eq!(index.entries.len(), 8);
        for entry in &index.entries {
            assert!(store.data(entry).expect("there").is_ok());
        }
        assert_eq!(files(&store).len(), 9, "no temporary file is left");
        let _ = fs::remove_dir_all(store.directory());
    }
}
