//! The files of one function in a directory of the cache.

use super::{Damage, Index, IndexEntry, Stored};
use numbra_lir::artifact::sealed::{HEADER_LEN, has_length};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fmt, process};

/// No file of the cache is larger.
const MOST_BYTES: u64 = 1 << 28;

/// What files of the cache are made with, whatever the umask leaves: nobody else writes to them.
#[cfg(unix)]
const MODE: u32 = 0o644;

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

/// Why a file that is there is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// It is not what it should be.
    Damaged(Damage),
    /// Somebody else may have made it.
    Distrusted(PathBuf, &'static str),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Damaged(damage) => damage.fmt(f),
            Unread::Distrusted(path, why) => write!(f, "{} {why}", path.display()),
        }
    }
}

impl std::error::Error for Unread {}

impl From<Damage> for Unread {
    fn from(damage: Damage) -> Unread {
        Unread::Damaged(damage)
    }
}

/// What a file holds: nothing where there is none.
type Found<T> = Option<Result<T, Unread>>;

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
        let bytes = self.read(&self.index_path())?;
        Some(bytes.and_then(|bytes| Ok(Index::from_bytes(&bytes)?)))
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
            .filter_map(|path| Index::from_bytes(&self.read(path)?.ok()?).ok())
            .collect()
    }

    /// The data of an entry.
    pub fn data(&self, entry: &IndexEntry) -> Found<Stored> {
        // Names in an index are names in its directory.
        if Path::new(&entry.data).file_name()? != entry.data.as_str() || !self.is_trusted() {
            return None;
        }
        let bytes = self.read(&self.data_path(entry))?;
        Some(bytes.and_then(|bytes| {
            let stored = Stored::from_bytes(&bytes)?;
            if stored.key == entry.key && stored.manifest == entry.manifest.digest() {
                Ok(stored)
            } else {
                Err(Damage("it belongs to another entry").into())
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

    /// The bytes of a file: all questions go to the open file, which nobody can exchange meanwhile.
    fn read(&self, path: &Path) -> Found<Vec<u8>> {
        let distrusted = |why| Some(Err(Unread::Distrusted(path.to_owned(), why)));
        let mut file = match open(path) {
            Ok(file) => file,
            Err(_) if is_link(path) => return distrusted("is a link"),
            Err(_) => return None,
        };
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() {
            return distrusted("is no file");
        }
        if let Some(why) = distrust(&metadata, self.user) {
            return distrusted(why);
        }
        let len = metadata.len();
        if len > MOST_BYTES {
            return Some(Err(Damage("it is too large").into()));
        }
        let mut header = [0; HEADER_LEN];
        if len >= HEADER_LEN as u64 {
            file.read_exact(&mut header).ok()?;
            if !has_length(&header, len) {
                return Some(Err(Damage("it is damaged").into()));
            }
            file.rewind().ok()?;
        }
        let mut bytes = Vec::with_capacity(len as usize);
        file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
        Some(Ok(bytes))
    }

    /// Writes beside the place and renames.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Random: processes of several machines may share the directory.
        let number = RandomState::new().hash_one(process::id());
        let temporary = self.directory.join(format!(".numbra-{number:016x}.tmp"));
        let written = create(&temporary)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

/// A new file that nobody else may write to.
fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, MODE);
    options.open(path)
}

/// Opens for reading, no link. Returns at once: a pipe that nobody writes to would wait for a writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_CLOEXEC,
    );
    options.open(path)
}

/// Why an open file is not trusted: its directory may be one that others write to.
#[cfg(unix)]
fn distrust(metadata: &fs::Metadata, user: u32) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    if ![user, 0].contains(&metadata.uid()) {
        return Some("belongs to another user");
    }
    (metadata.mode() & 0o022 != 0).then_some("can be written by other users")
}

#[cfg(not(unix))]
fn distrust(_: &fs::Metadata, _: u32) -> Option<&'static str> {
    None
}

/// True for what [`open`] refuses because it is a link.
fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
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

    fn why<T>(found: Found<T>) -> String {
        let unread = found.and_then(Result::err);
        unread.map_or_else(|| "read".to_owned(), |unread| unread.to_string())
    }

    #[test]
    fn files_of_others_are_refused() {
        use std::os::unix::fs::PermissionsExt;
        let store = store("files");
        let entry = save(&store, 1);
        let (index, data) = (store.index_path(), store.data_path(&entry));
        for path in [&index, &data] {
            let mode = fs::metadata(path).expect("there").mode();
            assert_eq!(mode & 0o022, 0, "made with {mode:o}");
            for shared in [0o664, 0o646] {
                fs::set_permissions(path, fs::Permissions::from_mode(shared)).expect("own");
                let found = match path == &index {
                    true => why(store.index()),
                    false => why(store.data(&entry)),
                };
                assert!(found.ends_with("can be written by other users"), "{found}");
            }
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("own");
        }
        // Root's files are everybody's; those of others are nobody's.
        let metadata = fs::metadata(&data).expect("there");
        assert_eq!(distrust(&metadata, metadata.uid()), None);
        let other = distrust(&metadata, metadata.uid() + 1);
        assert_eq!(other.is_none(), metadata.uid() == 0);
        assert!(store.index().expect("there").is_ok());
        assert!(store.data(&entry).expect("there").is_ok());
        let _ = fs::remove_dir_all(store.directory());
    }

    #[test]
    fn links_and_what_is_no_file_are_refused() {
        let store = store("links");
        let entry = save(&store, 1);
        let (data, aside) = (store.data_path(&entry), store.directory().join("aside"));
        fs::rename(&data, &aside).expect("own");
        assert!(store.data(&entry).is_none());
        std::os::unix::fs::symlink(&aside, &data).expect("own");
        assert!(why(store.data(&entry)).ends_with("is a link"));
        fs::remove_file(&data).expect("own");
        fs::create_dir(&data).expect("own");
        assert!(why(store.data(&entry)).ends_with("is no file"));
        let _ = fs::remove_dir_all(store.directory());
    }

    /// Neither is read, nor is memory asked for as much.
    #[test]
    fn sparse_files_are_refused() {
        let store = store("sparse");
        let entry = save(&store, 1);
        let data = File::options()
            .write(true)
            .truncate(true)
            .open(store.data_path(&entry))
            .expect("own");
        for (len, said) in [(MOST_BYTES, "it is damaged"), (1 << 33, "it is too large")] {
            data.set_len(len).expect("a sparse file");
            assert_eq!(why(store.data(&entry)), said);
        }
        let _ = fs::remove_dir_all(store.directory());
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
