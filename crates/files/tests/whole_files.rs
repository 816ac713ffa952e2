//! Files appear whole or not at all, and reading has an end.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use discern_files::{NewFile, finish_together, open, read, read_text, remove, sweep, write};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    (folder, path)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_has_its_name_only_when_it_is_finished() {
    let (folder, path) = folder();
    let mut file = NewFile::create(&path, false).unwrap();
    file.write_all(b"half").unwrap();
    assert!(!path.exists());
    drop(file);
    assert_eq!(names(folder.path()), [""; 0]);
    write(&path, b"whole", false).unwrap();
    assert_eq!(names(folder.path()), ["a.txt"]);
    assert_eq!(read_text(&path, 5).unwrap(), "whole");
}

#[test]
fn nothing_is_replaced_unasked() {
    let (_folder, path) = folder();
    let mut late = NewFile::create(&path, false).unwrap();
    late.write_all(b"late").unwrap();
    write(&path, b"first", false).unwrap();
    assert_eq!(write(&path, b"second", false).unwrap_err().kind(), ErrorKind::AlreadyExists);
    // Nor when the name was taken in the meantime.
    assert_eq!(late.finish().unwrap_err().to_string(), "the file exists");
    assert_eq!(fs::read(&path).unwrap(), b"first");
    write(&path, b"third", true).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"third");
}

#[test]
fn a_file_that_is_being_written_to_is_neither_replaced_nor_removed() {
    let (folder, path) = folder();
    let mut other = NewFile::create(&path, true).unwrap();
    other.write_all(b"new").unwrap();
    let mut writer = File::create_new(&path).unwrap();
    writer.try_lock().unwrap();
    writer.write_all(b"precious").unwrap();
    for refused in [write(&path, b"new", true), other.finish(), remove(&path)] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResourceBusy);
        assert_eq!(error.to_string(), "another process is writing to it");
    }
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    drop(writer);
    // A process that another test is just starting still has the file open.
    let free = std::iter::repeat_with(|| write(&path, b"new", true)).take(1000).find(|w| {
        std::thread::sleep(Duration::from_millis(1));
        w.is_ok()
    });
    assert!(free.is_some(), "the lock goes with its writer");
    remove(&path).unwrap();
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_refused_where_they_lead_nowhere() {
    let (folder, path) = folder();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for replace in [false, true] {
        let error = write(&link, b"x", replace).unwrap_err();
        assert_eq!(error.to_string(), "a link to a file that does not exist");
    }
    fs::write(&path, "old").unwrap();
    assert_eq!(write(&link, b"new", false).unwrap_err().kind(), ErrorKind::AlreadyExists);
    write(&link, b"new", true).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[cfg(unix)]
#[test]
fn devices_are_written_as_they_are_and_not_read() {
    write("/dev/null", b"x", false).unwrap();
    let full = write("/dev/full", b"x", true).unwrap_err();
    assert_eq!(full.kind(), ErrorKind::StorageFull);
    assert_eq!(read("/dev/zero", 1 << 20).unwrap_err().to_string(), "not a regular file");
}

#[cfg(unix)]
#[test]
fn a_pipe_without_a_writer_does_not_block() {
    let (_folder, path) = folder();
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    assert_eq!(open(&path).unwrap_err().kind(), ErrorKind::InvalidInput);
}

#[test]
fn folders_are_neither_written_nor_read() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(write(folder.path(), b"x", true).unwrap_err().kind(), ErrorKind::IsADirectory);
    assert_eq!(read(folder.path(), 9).unwrap_err().kind(), ErrorKind::IsADirectory);
    let nowhere = folder.path().join("no/file");
    assert_eq!(write(nowhere, b"x", true).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn files_that_belong_together_appear_together() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["one", "two"].map(|name| folder.path().join(name));
    let begin = || {
        paths.clone().map(|path| {
            let mut file = NewFile::create(path, false).unwrap();
            file.write_all(b"x").unwrap();
            file
        })
    };
    let files = begin();
    fs::write(&paths[1], "somebody else's").unwrap();
    assert_eq!(finish_together(files).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(names(folder.path()), ["two"]);
    fs::remove_file(&paths[1]).unwrap();
    finish_together(begin()).unwrap();
    assert_eq!(names(folder.path()), ["one", "two"]);
}

#[test]
fn what_killed_processes_left_is_swept() {
    let (folder, path) = folder();
    let made = |name: &str| File::create(folder.path().join(name)).unwrap();
    for name in [".a.txt.abc.part", ".b.txt.abc.part", "c.part"] {
        made(name);
    }
    let held = made(".a.txt.held.part");
    held.try_lock().unwrap();
    write(&path, b"x", false).unwrap();
    assert_eq!(names(folder.path()), [".a.txt.held.part", ".b.txt.abc.part", "a.txt", "c.part"]);
    sweep(&folder).unwrap();
    assert_eq!(names(folder.path()), [".a.txt.held.part", "a.txt", "c.part"]);
}

#[test]
fn who_sweeps_never_takes_a_file_from_its_writer() {
    let (folder, _) = folder();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                sweep(&folder).unwrap();
            }
        });
        let written = (0..500)
            .try_for_each(|number| write(folder.path().join(format!("{number}.txt")), b"x", false));
        done.store(true, Ordering::Relaxed);
        written.unwrap();
    });
    assert_eq!(names(folder.path()).len(), 500);
}

#[test]
fn reading_ends_at_the_bound() {
    let (_folder, path) = folder();
    fs::write(&path, "12345").unwrap();
    assert_eq!(read(&path, 5).unwrap(), b"12345");
    let error = read(&path, 4).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::FileTooLarge, "larger than 4 bytes")
    );
    fs::write(&path, b"\xff").unwrap();
    assert_eq!(read_text(&path, 5).unwrap_err().to_string(), "not UTF-8 text");
}

#[test]
fn a_lock_that_is_given_back_in_a_moment_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let first = File::create(&path).unwrap();
    discern_files::lock(&first).unwrap();
    let second = File::open(&path).unwrap();
    let busy = discern_files::lock(&second).unwrap_err();
    assert_eq!(busy.kind(), ErrorKind::ResourceBusy);
    let holder = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        drop(first);
    });
    discern_files::lock(&second).unwrap();
    holder.join().unwrap();
}
