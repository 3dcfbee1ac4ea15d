//! How much of a directory is read.

/// How much of a directory the check reads. What lies beyond is reported as not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidationLimits {
    /// The bytes of one file: 4 MiB unless it is set.
    pub file_bytes: u64,
    /// The files of the directory: 100,000 unless it is set.
    pub files: usize,
    /// The bytes of all files that are read: 256 MiB unless it is set.
    pub total_bytes: u64,
}

impl Default for ValidationLimits {
    fn default() -> Self {
        Self { file_bytes: 4 << 20, files: 100_000, total_bytes: 256 << 20 }
    }
}

impl ValidationLimits {
    /// Sets how many bytes of one file are read.
    pub fn with_file_bytes(mut self, bytes: u64) -> Self {
        self.file_bytes = bytes;
        self
    }

    /// Sets how many files are looked at.
    pub fn with_files(mut self, files: usize) -> Self {
        self.files = files;
        self
    }

    /// Sets how many bytes are read in all.
    pub fn with_total_bytes(mut self, bytes: u64) -> Self {
        self.total_bytes = bytes;
        self
    }
}
