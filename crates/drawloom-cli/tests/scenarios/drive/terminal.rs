//! A terminal with `drawloom drive` on it, and a person before it.

use std::io::{Read, Write};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use pty_process::blocking::{Command, Pty, open};
use serde_json::Value;

use crate::binary;
use crate::replay::support::Folder;

/// Longer than any machine needs to show a line.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    /// How much of what is shown was waited for.
    seen: usize,
    _folder: Folder,
}

#[derive(Default)]
struct Shown {
    text: String,
    is_over: bool,
}

impl Shown {
    /// Where the text ends that is shown behind this place.
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

    /// Drives the stand-in within a shell, which shows how the terminal is set afterwards. Before, it sets it to keep
    /// what is shown when Ctrl-C is pressed: the system may drop what is written just then.
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
            // Once nobody writes to the terminal any more, reading from it fails.
            while let Ok(read @ 1..) = (&*reads).read(&mut bytes) {
                shows.0.lock().unwrap().text.push_str(&String::from_utf8_lossy(&bytes[..read]));
                shows.1.notify_all();
            }
            shows.0.lock().unwrap().is_over = true;
            shows.1.notify_all();
        });
        Self { pty, child, shown, seen: 0, _folder: folder }
    }

    /// Waits until this is shown, behind what was waited for before.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) {
        let shown = self.shown.0.lock().unwrap();
        let is_missing = |shown: &mut Shown| !shown.is_over && shown.after(self.seen, text).is_none();
        let (shown, _) = self.shown.1.wait_timeout_while(shown, PATIENCE, is_missing).unwrap();
        let Some(end) = shown.after(self.seen, text) else {
            panic!("{text:?} is not shown:\n{}", shown.text);
        };
        self.seen = end;
    }

    /// Waits until this is shown, and answers what stands before it.
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

    /// The process that was started, which leads a group.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Everything that was shown, and the exit code.
    pub(crate) fn end(&mut self) -> (String, Option<i32>) {
        let shown = self.shown.0.lock().unwrap();
        let (shown, _) = self.shown.1.wait_timeout_while(shown, PATIENCE, |shown| !shown.is_over).unwrap();
        let text = shown.text.clone();
        assert!(shown.is_over, "it goes on:\n{text}");
        drop(shown);
        (text, self.child.wait().unwrap().code())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A scenario that failed may have left it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
