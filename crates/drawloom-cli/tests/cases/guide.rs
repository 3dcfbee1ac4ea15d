//! The guide to `drive` shows what the binary prints.

use std::fs;
use std::path::PathBuf;

use crate::binary::drawloom;

#[test]
fn the_stand_in_of_the_guide() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("docs/guides/drive-a-workbench.md")).unwrap();
    let (_, block) = guide.split_once("```console\n$ drawloom ").unwrap();
    let (shown, _) = block.split_once("```").unwrap();
    let (command, printed) = shown.split_once('\n').unwrap();
    let (words, prompt) = command.split_once(" '").unwrap();
    let words = words.split(' ').map(|word| match root.join(word) {
        file if file.exists() => file.into_os_string(),
        _ => word.into(),
    });
    let prompt = prompt.strip_suffix('\'').unwrap();

    let output = drawloom(words.chain([prompt.into()]), b"");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert_eq!(output.stdout, printed);
}
