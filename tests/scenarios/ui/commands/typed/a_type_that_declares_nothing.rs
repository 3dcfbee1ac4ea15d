//! A handler's arguments are of a type that declares them.

use drawloom::prelude::*;

struct OpenNote {
    path: String,
}

fn register(notes: &PluginContext) {
    let open = Command::new("notes.open", "Open note");
    let _ = notes.register_typed(open, |args: OpenNote, _| async move { Ok(args.path) });
}

fn main() {}
