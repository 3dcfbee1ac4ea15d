//! Reads the URL of an agent: whether the agent is on this machine, and how the URL may be shown.

use std::net::IpAddr;

use reqwest::Url;

/// Whether the URL names this machine, so that no proxy of the environment may see the request or its token.
///
/// The URL parser has normalised the host: lower case, numbers as `127.0.0.1`.
pub(super) fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    // A trailing dot does not change the name.
    let host = host.strip_suffix('.').unwrap_or(host);
    // An unspecified address (0.0.0.0, ::) connects to this machine too.
    let is_local = |address: IpAddr| {
        let address = address.to_canonical();
        address.is_loopback() || address.is_unspecified()
    };
    host == "localhost" || host.ends_with(".localhost") || host.parse().is_ok_and(is_local)
}

/// The URL as an error may show it: without the user, the password and the query.
pub(super) fn without_secrets(url: &str) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let (url, rest) = url.split_at_checked(end).unwrap_or((url, ""));
    let url = match (url.find("//"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            let before = url.get(..scheme + 2).unwrap_or_default();
            format!("{before}…{}", url.get(at..).unwrap_or_default())
        }
        (None, Some(at)) => format!("…{}", url.get(at..).unwrap_or_default()),
        _ => url.to_owned(),
    };
    if rest.is_empty() { url } else { format!("{url}?…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_what_may_be_secret() {
        for (url, shown) in [
            ("http://user:secret@host/agent?key=secret#secret", "http://…@host/agent?…"),
            ("http://user:se/cr@et@host:x/", "http://…@host:x/"),
            ("user:secret@host", "…@host"),
            ("https://host/agent", "https://host/agent"),
            ("ftp//?secret", "ftp//?…"),
            ("", ""),
        ] {
            assert_eq!(without_secrets(url), shown);
        }
    }

    #[test]
    fn every_spelling_of_this_machine_is_recognised() {
        for (url, is_here) in [
            ("http://127.0.0.1:8000/", true),
            ("http://127.9.9.9/", true),
            ("http://127.1/", true),
            ("http://2130706433/", true),
            ("http://0x7f.0.0.1/", true),
            ("http://127.0.0.1./", true),
            ("http://[::1]:80/", true),
            ("http://[0:0:0:0:0:0:0:1]/", true),
            ("http://[::ffff:127.0.0.1]/", true),
            ("http://[::ffff:7f00:1]/", true),
            ("http://0.0.0.0:8000/", true),
            ("http://0/", true),
            ("http://[::]/", true),
            ("http://[::ffff:0.0.0.0]/", true),
            ("http://LOCALHOST/", true),
            ("http://localhost./", true),
            ("http://agent.localhost/", true),
            ("http://agent.localhost./", true),
            ("https://user:secret@localhost./", true),
            ("http://localhost.example/", false),
            ("http://notlocalhost/", false),
            ("http://10.0.0.1/", false),
            ("http://0.0.0.1/", false),
            ("http://[::2]/", false),
            ("http://[::ffff:10.0.0.1]/", false),
            ("http://127.0.0.1.example/", false),
        ] {
            assert_eq!(is_this_machine(&Url::parse(url).unwrap()), is_here, "{url}");
        }
    }
}
