use std::fs::File;
use std::io;
use std::path::Path;

/// Names a content by its hash: 32 hexadecimal digits, the first half of
/// BLAKE3. Plans, weight files and archives are told apart by it.
pub type Fingerprint = String;

/// The fingerprint of a file's content.
pub fn fingerprint_of_file(path: impl AsRef<Path>) -> io::Result<Fingerprint> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(shorten(hasher.finalize()))
}

/// The fingerprint of a file with these bytes.
pub fn fingerprint_of_bytes(bytes: &[u8]) -> Fingerprint {
    shorten(blake3::hash(bytes))
}

fn shorten(hash: blake3::Hash) -> Fingerprint {
    hash.to_hex()[..32].to_owned()
}
