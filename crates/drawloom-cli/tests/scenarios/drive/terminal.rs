//! A terminal on which `drawloom drive` runs, and the keys of a person.

use std::io::{Read, Write};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use pty_process::blocking::{Command, Pty, open};
use serde_json::Value;

use crate::binary;
use crate::replay::support::Folder;

/// The longest time until a line must be shown, on a machine under any load.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    /// The end of the text that was waited for last.
    seen: usize,
    _folder: Folder,
}

#[derive(Default)]
struct Shown {
    text: String,
    has_ended: bool,
}

impl Shown {
    /// The end of the first occurrence of the text after this position.
    fn after(&self, place: usize, text: &str) -> Option<usize> {
        Some(place + self.text.get(place..)?.find(text)? + text.len())
    }
}

impl Terminal {
    /// Starts `drawloom drive` on a file.
    pub(crate) fn drive(file: &Value, agent: &str, prompt: &str) -> Self {
        Self::drive_with(file, agent, prompt, &[])
    }

    /// Starts `drawloom drive` on a file, with these options.
    pub(crate) fn drive_with(file: &Value, agent: &str, prompt: &str, options: &[&str]) -> Self {
        let words = ["--agent", agent, "--prompt", prompt].into_iter().chain(options.iter().copied());
        Self::start(Command::new(binary::path()), file, words)
    }

    /// Starts `drawloom drive` on a file without a prompt.
    pub(crate) fn chat(file: &Value, agent: &str, options: &[&str]) -> Self {
        let words = ["--agent", agent].into_iter().chain(options.iter().copied());
        Self::start(Command::new(binary::path()), file, words)
    }

    /// Drives the stand-in within a shell, which prints the settings of the terminal afterwards. Before, the shell makes the
    /// terminal keep its output when Ctrl-C is pressed, because the system may otherwise discard it.
    pub(crate) fn drive_in_a_shell(file: &Value, prompt: &str) -> Self {
        let script = r#"trap : INT; stty noflsh; "$0" "$@"; code=$?; stty -a; exit $code"#;
        let shell = Command::new("sh").arg("-c").arg(script).arg(binary::path());
        Self::start(shell, file, ["--agent", "stand-in", "--prompt", prompt])
    }

    fn start<'a>(command: Command, file: &Value, words: impl IntoIterator<Item = &'a str>) -> Self {
        let folder = Folder::new();
        let file = folder.write("file.json", &file.to_string());
        let (pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(24, 200)).unwrap();
        let child = command.arg("drive").arg(file).args(words).spawn(pts).unwrap();
        let pty = Arc::new(pty);
        let shown: Arc<(Mutex<Shown>, Condvar)> = Arc::default();
        let (reads, shows) = (pty.clone(), shown.clone());
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when no process writes to the terminal any more.
            while let Ok(read @ 1..) = (&*reads).read(&mut bytes) {
                shows.0.lock().unwrap().text.push_str(&String::from_utf8_lossy(&bytes[..read]));
                shows.1.notify_all();
            }
            shows.0.lock().unwrap().has_ended = true;
            shows.1.notify_all();
        });
        Self { pty, child, shown, seen: 0, _folder: folder }
    }

    /// Waits until this text is shown, after the text that was waited for last.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) {
        let shown = self.shown.0.lock().unwrap();
        let is_missing = |shown: &mut Shown| !shown.has_ended && shown.after(self.seen, text).is_none();
        let (shown, _) = self.shown.1.wait_timeout_while(shown, TIMEOUT, is_missing).unwrap();
        let Some(end) = shown.after(self.seen, text) else {
            panic!("{text:?} is not shown:\n{}", shown.text);
        };
        self.seen = end;
    }

    /// Waits until this text is shown, and returns the text before it.
    #[track_caller]
    pub(crate) fn read_until(&mut self, text: &str) -> String {
        let start = self.seen;
        self.wait_for(text);
        let shown = self.shown.0.lock().unwrap();
        shown.text.get(start..self.seen - text.len()).unwrap().to_owned()
    }

    /// The person types this.
    pub(crate) fn types(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// The process that was started, which is the leader of its process group.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Everything that was shown, and the exit code.
    pub(crate) fn end(&mut self) -> (String, Option<i32>) {
        let shown = self.shown.0.lock().unwrap();
        let (shown, _) = self.shown.1.wait_timeout_while(shown, TIMEOUT, |shown| !shown.has_ended).unwrap();
        let text = shown.text.clone();
        assert!(shown.has_ended, "it has not ended:\n{text}");
        drop(shown);
        (text, self.child.wait().unwrap().code())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // If the test failed, the process may still run.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
