//! `discern serve` as a user starts and ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::common::discern;

/// A studio at a free port, ended when dropped.
struct Studio {
    child: Child,
    address: String,
}

impl Studio {
    fn open(args: &[&str]) -> Studio {
        let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(["serve", "--port", "0", "--no-open"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut url = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut url).expect("an address");
        let address = url.trim_end().strip_prefix("http://").and_then(|url| url.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("not an address: {url:?}")).to_owned();
        Studio { child, address }
    }

    fn get(&self, target: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let host = &self.address;
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        answer
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_prints_its_address_serves_and_ends_with_ctrl_c() {
    let mut studio = Studio::open(&["--threads", "1", "--hash", "8"]);
    let info = studio.get("/api/info");
    assert!(info.starts_with("HTTP/1.1 200 OK") && info.contains("\"streams\":1"), "{info}");
    assert!(studio.get("/").contains("<!doctype html>"));
    let signalled = Command::new("kill").args(["-INT", &studio.child.id().to_string()]).status();
    assert!(signalled.expect("kill is there").success());
    assert_eq!(studio.child.wait().unwrap().code(), Some(0));
}

#[test]
fn help_gives_examples_and_a_warning() {
    let help = discern(&["serve", "--help"]).success();
    assert!(help.contains("discern serve --weights") && help.contains("trust the network"));
}

#[test]
fn what_it_cannot_do_is_said_in_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let complaint = discern(&["serve", "--no-open", "--port", &port]).failure();
    assert!(complaint.contains("is in use already"), "{complaint}");
    let complaint = discern(&["serve", "--no-open", "--address", "203.0.113.1"]);
    assert_eq!(complaint.failure(), "203.0.113.1 is no address of this machine");
    let complaint = discern(&["serve", "--no-open", "--runs", "/nowhere"]).failure();
    assert_eq!(complaint, "/nowhere is not a folder");
    let complaint = discern(&["serve", "--no-open", "--weights", "/nowhere"]).failure();
    assert!(complaint.starts_with("cannot use /nowhere"), "{complaint}");
}
