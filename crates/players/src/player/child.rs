//! A program as a child process: started in its own process group, listened
//! to with bounds, and reaped together with whatever it started.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, Once};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use discern_search::{StopFlag, Timing};
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpgid};

use super::Failure;

/// The longest line a program may write.
const MAX_LINE: usize = 1 << 16;
/// Lines that may wait to be read; a program that writes more has to wait.
const MAX_WAITING: usize = 1024;
/// How much of the last words on standard error is kept.
const LAST_WORDS: usize = 400;
/// How often a waiting referee looks whether the match was stopped or the
/// program died without closing its output.
const LOOK: Duration = Duration::from_millis(25);
/// How long a program may take to leave when asked to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A program, its arguments and where to run it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Command {
    /// The program and its arguments; never empty.
    words: Vec<String>,
    /// The folder to run it in; ours if not given.
    pub folder: Option<PathBuf>,
}

/// The text is not a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandError {
    /// No word at all.
    #[error("the command is empty")]
    Empty,
    /// A quotation without an end.
    #[error("a quotation mark {0} is never closed")]
    OpenQuote(char),
}

impl Command {
    /// Splits a command into words as a shell does: blanks separate, single
    /// and double quotes hold together, a backslash takes the next character
    /// as it is. Nothing else is special.
    pub fn parse(text: &str) -> Result<Command, ParseCommandError> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        let mut symbols = text.chars();
        while let Some(symbol) = symbols.next() {
            match (quote, symbol) {
                (Some(open), _) if symbol == open => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(symbol);
                    word.get_or_insert_default();
                }
                (None | Some('"'), '\\') => {
                    word.get_or_insert_default().extend(symbols.next());
                }
                (None, _) if symbol.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(symbol),
            }
        }
        if let Some(open) = quote {
            return Err(ParseCommandError::OpenQuote(open));
        }
        words.extend(word);
        match words.is_empty() {
            true => Err(ParseCommandError::Empty),
            false => Ok(Command { words, folder: None }),
        }
    }

    /// The program without its arguments.
    pub fn program(&self) -> &str {
        &self.words[0]
    }
}

/// The program could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start '{program}'")]
pub struct StartError {
    program: String,
    source: std::io::Error,
}

/// A line of a program's output and when it came.
pub(super) struct Heard {
    pub text: String,
    pub at: Instant,
}

/// When a program was asked something, by one of the clocks.
pub(super) struct Watch {
    start: Instant,
    /// The processor time it had used by then.
    used: Option<Duration>,
}

enum Line {
    Text(Heard),
    TooLong,
}

/// A running program. Dropped, it is killed with its whole process group, and
/// no zombie stays.
pub(super) struct ChildProcess {
    child: Child,
    group: Pid,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    /// A line taken from `lines` while looking for their end.
    pending: Option<Line>,
    last_words: Arc<Mutex<Vec<u8>>>,
    drain: JoinHandle<()>,
    reaped: bool,
}

impl ChildProcess {
    pub fn start(command: &Command) -> Result<ChildProcess, StartError> {
        let error = |source| StartError { program: command.program().to_owned(), source };
        adopt_orphans();
        let mut process = std::process::Command::new(command.program());
        process.args(&command.words[1..]);
        if let Some(folder) = &command.folder {
            process.current_dir(folder);
        }
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at the terminal is for us; and a group can be killed whole.
        process.process_group(0);
        let mut child = process.spawn().map_err(error)?;
        let group = Pid::from_child(&child);
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (sender, lines) = sync_channel(MAX_WAITING);
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let keep = last_words.clone();
        // The threads end with the pipes, which the death of the group closes.
        thread::spawn(move || read_lines(BufReader::new(stdout.expect("piped")), &sender));
        let drain = thread::spawn(move || drain(stderr.expect("piped"), &keep));
        Ok(ChildProcess {
            child,
            group,
            stdin,
            lines,
            pending: None,
            last_words,
            drain,
            reaped: false,
        })
    }

    /// Writes a line.
    pub fn send(&mut self, line: &str) -> Result<(), Failure> {
        let Some(stdin) = &mut self.stdin else { return Err(self.crash()) };
        let written = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
        written.map_err(|_| self.crash())
    }

    /// Waits for the next line.
    pub fn receive(&mut self, deadline: Instant, stop: &StopFlag) -> Result<Heard, Failure> {
        let asked = Instant::now();
        loop {
            let wait = deadline.saturating_duration_since(Instant::now()).min(LOOK);
            let line = match self.pending.take() {
                Some(line) => Ok(line),
                None => self.lines.recv_timeout(wait),
            };
            match line {
                Ok(Line::Text(heard)) => return Ok(heard),
                Ok(Line::TooLong) => {
                    return Err(Failure::Crash(format!("a line of more than {MAX_LINE} bytes")));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if stop.is_stopped() {
                return Err(Failure::Interrupted);
            }
            // A child of the program may keep its output open after its death.
            if matches!(self.child.try_wait(), Ok(Some(_))) && self.lines_are_over() {
                return Err(self.crash());
            }
            if Instant::now() >= deadline {
                return Err(Failure::Silence(asked.elapsed().as_secs_f64()));
            }
        }
    }

    /// Starts a clock for what the program does next.
    pub fn watch(&self, timing: Timing) -> Watch {
        let used = match timing {
            Timing::Processor => self.processor_time(),
            Timing::Wall => None,
        };
        Watch { start: Instant::now(), used }
    }

    /// What the program has used since then, having answered at this moment.
    pub fn spent(&self, watch: &Watch, at: Instant) -> Duration {
        let used =
            watch.used.zip(self.processor_time()).map(|(then, now)| now.saturating_sub(then));
        used.unwrap_or_else(|| at.saturating_duration_since(watch.start))
    }

    /// The time that its threads have had a processor; `None` where the system
    /// does not say (any but Linux).
    fn processor_time(&self) -> Option<Duration> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let of_thread = |thread: std::io::Result<std::fs::DirEntry>| {
            let numbers = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            numbers.split_whitespace().next()?.parse::<u64>().ok()
        };
        Some(Duration::from_nanos(threads.filter_map(of_thread).sum()))
    }

    /// Nothing the program wrote before it died is still on its way.
    fn lines_are_over(&mut self) -> bool {
        let _ = kill_process_group(self.group, Signal::KILL);
        // With all writers dead the reader comes to the end of the pipe.
        self.pending = self.lines.recv_timeout(FAREWELL).ok();
        self.pending.is_none()
    }

    /// The program's death with its exit code and last words.
    fn crash(&mut self) -> Failure {
        self.stdin = None;
        let status = self.wait_for_exit(FAREWELL);
        self.end();
        // The last words may still be on their way through the pipe.
        let deadline = Instant::now() + FAREWELL;
        while !self.drain.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let mut words = match status {
            Some(status) => describe(status),
            None => "it closed its output".to_owned(),
        };
        let last = self.last_words.lock().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if let Some(line) = last.unwrap_or_default().lines().rfind(|line| !line.trim().is_empty()) {
            words.push_str(": ");
            words.push_str(line.trim());
        }
        Failure::Crash(words)
    }

    /// Asks the program to leave, and makes it leave.
    pub fn quit(&mut self, farewell: &str) {
        let _ = self.send(farewell);
        self.stdin = None;
        self.wait_for_exit(FAREWELL);
        self.end();
    }

    fn wait_for_exit(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Kills the group and reaps it.
    fn end(&mut self) {
        if std::mem::replace(&mut self.reaped, true) {
            return;
        }
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.wait();
        // Grandchildren are ours now; each is reaped once it is dead.
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            match waitpgid(self.group, WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(_) => break,
            }
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.end();
    }
}

/// Lets the children of dead programs become ours, so that they can be reaped
/// and do not linger in containers whose first process reaps nobody.
fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    });
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "unknown".to_owned(),
    }
}

/// Hands out lines as they come; what is no UTF-8 is replaced.
fn read_lines(mut input: impl BufRead, sender: &SyncSender<Line>) {
    loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = match bytes.len() > MAX_LINE {
            true => Line::TooLong,
            false => Line::Text(Heard {
                text: String::from_utf8_lossy(&bytes).trim_end().to_owned(),
                at: Instant::now(),
            }),
        };
        let over = matches!(line, Line::TooLong);
        if sender.send(line).is_err() || over {
            return;
        }
    }
}

/// Reads standard error to the end, or the program would block on it.
fn drain(mut input: impl Read, last_words: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = input.read(&mut buffer) {
        let Ok(mut kept) = last_words.lock() else { return };
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Command::parse(text).unwrap().words
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(words("edax  -gtp -l 5"), ["edax", "-gtp", "-l", "5"]);
        assert_eq!(
            words(r#"'my engine' --name "A \"B\"" c\ d ''"#),
            ["my engine", "--name", "A \"B\"", "c d", ""]
        );
        assert_eq!(Command::parse("  "), Err(ParseCommandError::Empty));
        assert_eq!(Command::parse("a 'b"), Err(ParseCommandError::OpenQuote('\'')));
    }

    fn start(text: &str) -> ChildProcess {
        ChildProcess::start(&Command::parse(text).unwrap()).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn lines_go_both_ways() {
        let mut cat = start("cat");
        cat.send("hello").unwrap();
        assert_eq!(cat.receive(soon(), &StopFlag::new()).unwrap().text, "hello");
        let silence = cat.receive(Instant::now() + Duration::from_millis(60), &StopFlag::new());
        assert!(matches!(silence.err(), Some(Failure::Silence(_))));
        cat.quit("bye");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_that_waits_spends_no_processor_time_and_one_that_works_does() {
        let spent = |command: &str| {
            let mut child = start(command);
            let watches = [Timing::Wall, Timing::Processor].map(|timing| child.watch(timing));
            child.send("now").unwrap();
            let at = child.receive(soon(), &StopFlag::new()).unwrap().at;
            watches.map(|watch| child.spent(&watch, at))
        };
        let [passed, used] = spent("sh -c 'read x; sleep 0.1; echo $x; read x'");
        assert!(passed >= Duration::from_millis(100), "{passed:?}");
        assert!(used < Duration::from_millis(50), "{used:?}");
        let loop_ = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let [_, used] = spent(&format!("sh -c 'read x; {loop_}; echo $x; read x'"));
        assert!(used > Duration::from_millis(1), "{used:?}");
    }

    #[test]
    fn a_death_is_told_with_exit_code_and_last_words() {
        let mut child = start("sh -c 'echo one; echo why >&2; exit 3'");
        assert_eq!(child.receive(soon(), &StopFlag::new()).unwrap().text, "one");
        let failure = child.receive(soon(), &StopFlag::new()).err();
        assert_eq!(failure, Some(Failure::Crash("exit code 3: why".into())));
        assert!(child.send("x").is_err());
    }

    #[test]
    fn an_endless_line_is_cut_off() {
        let mut child = start("sh -c 'yes | tr -d \"\\n\"'");
        let failure = child.receive(soon(), &StopFlag::new()).err();
        assert!(matches!(failure, Some(Failure::Crash(text)) if text.contains("65536")));
    }

    #[test]
    fn whatever_a_program_started_dies_and_is_reaped_with_it() {
        let mut child = start("sh -c 'sleep 1000 & echo $!; wait'");
        let text = child.receive(soon(), &StopFlag::new()).unwrap().text;
        let grandchild = Pid::from_raw(text.parse().unwrap()).unwrap();
        assert!(rustix::process::test_kill_process(grandchild).is_ok());
        drop(child);
        assert!(rustix::process::test_kill_process(grandchild).is_err(), "not even a zombie");
    }

    #[test]
    fn a_program_that_leaves_a_child_with_its_output_is_seen_to_be_dead() {
        let mut child = start("sh -c 'sleep 1000 & exit 7'");
        let failure = child.receive(soon(), &StopFlag::new()).err();
        assert_eq!(failure, Some(Failure::Crash("exit code 7".into())));
    }
}
