//! Runs the program as a user would.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// What a run of the program printed and how it ended.
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

/// Runs `discern` with these arguments and nothing on standard input.
pub fn discern(args: &[&str]) -> Run {
    discern_with_input(args, "")
}

/// Runs `discern` with these arguments and this standard input.
pub fn discern_with_input(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that does not read its input may have closed it already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    Run {
        stdout: String::from_utf8(stdout).expect("text"),
        stderr: String::from_utf8(stderr).expect("text"),
        code: status.code(),
    }
}

impl Run {
    /// The output of a run that must have succeeded.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// The single line of complaint of a run that must have failed on its
    /// input and printed nothing else.
    #[allow(dead_code, reason = "in some tests nothing fails")]
    #[track_caller]
    pub fn failure(self) -> String {
        assert_eq!(self.code, Some(1), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        let complaint =
            self.stderr.trim_end().strip_prefix("discern: ").expect("our name in front");
        complaint.to_owned()
    }
}
