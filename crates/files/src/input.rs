use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file. A pipe could block for ever and a device may never
/// end, so neither is opened.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    // Before opening, which is where a pipe without a writer blocks.
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

fn regular(data: &fs::Metadata) -> io::Result<()> {
    match data.is_file() {
        true => Ok(()),
        false if data.is_dir() => Err(ErrorKind::IsADirectory.into()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file")),
    }
}

/// The content of a regular file of at most this many bytes.
pub fn read(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let size = file.metadata()?.len();
    if size > most {
        return Err(too_large(most));
    }
    // One more byte than it had: it may grow while it is read.
    let mut bytes = Vec::with_capacity(size as usize + 1);
    match file.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        true => Err(too_large(most)),
        false => Ok(bytes),
    }
}

/// The content of a regular text file of at most this many bytes.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "not UTF-8 text");
    String::from_utf8(read(path, most)?).map_err(not_text)
}

fn too_large(most: u64) -> io::Error {
    let size = match most.trailing_zeros() {
        30.. => format!("{} GiB", most >> 30),
        20.. => format!("{} MiB", most >> 20),
        _ => format!("{most} bytes"),
    };
    io::Error::new(ErrorKind::FileTooLarge, format!("larger than {size}"))
}
