//! What caches of a GPU are told of an access.

/// How an element will be used. The first five are of loads; `Cg` and `Cs` and the last two of stores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CacheHint {
    /// In all caches.
    Ca,
    /// In the cache of the device only.
    Cg,
    /// Once only: the first to leave the caches.
    Cs,
    /// For the last time.
    Lu,
    /// Never from a cache.
    Cv,
    /// To all caches.
    Wb,
    /// Through the caches to memory.
    Wt,
}

impl CacheHint {
    /// All of them.
    pub const ALL: [CacheHint; 7] = [
        CacheHint::Ca,
        CacheHint::Cg,
        CacheHint::Cs,
        CacheHint::Lu,
        CacheHint::Cv,
        CacheHint::Wb,
        CacheHint::Wt,
    ];

    /// Its name in PTX.
    pub const fn name(self) -> &'static str {
        match self {
            CacheHint::Ca => "ca",
            CacheHint::Cg => "cg",
            CacheHint::Cs => "cs",
            CacheHint::Lu => "lu",
            CacheHint::Cv => "cv",
            CacheHint::Wb => "wb",
            CacheHint::Wt => "wt",
        }
    }
}
