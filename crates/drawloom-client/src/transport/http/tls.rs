//! TLS with rustls: the trusted certificates and the cryptography provider.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::transport::TransportError;

/// TLS with ring as an explicit provider, because a library must not install or require a default for the process.
pub(super) fn tls(needed: bool, roots: &[Vec<u8>]) -> Result<ClientConfig, TransportError> {
    let failed = |error: rustls::Error| TransportError::Tls(error.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    // A system without certificates is an error only if TLS is used.
    if !needed {
        return Ok(config.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    let roots = certificates(roots)?;
    if roots.is_empty() {
        return Ok(config.with_platform_verifier().map_err(failed)?.with_no_client_auth());
    }
    let verifier = with_roots(roots, provider).map_err(failed)?;
    Ok(config.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

#[cfg(not(target_os = "android"))]
fn with_roots(
    roots: Vec<CertificateDer<'static>>,
    provider: Arc<rustls::crypto::CryptoProvider>,
) -> Result<rustls_platform_verifier::Verifier, rustls::Error> {
    rustls_platform_verifier::Verifier::new_with_extra_roots(roots, provider)
}

#[cfg(target_os = "android")]
fn with_roots(
    _roots: Vec<CertificateDer<'static>>,
    _provider: Arc<rustls::crypto::CryptoProvider>,
) -> Result<rustls_platform_verifier::Verifier, rustls::Error> {
    Err(rustls::Error::General("Android takes certificates from its settings only".to_owned()))
}

fn certificates(roots: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, TransportError> {
    let unusable = |detail: String| TransportError::Unusable { what: "root certificate".to_owned(), detail };
    let mut read = Vec::new();
    for root in roots {
        // DER begins with the tag of a sequence, and PEM has text before that.
        if root.first() == Some(&0x30) {
            read.push(CertificateDer::from(root.clone()));
            continue;
        }
        let before = read.len();
        for certificate in CertificateDer::pem_slice_iter(root) {
            read.push(certificate.map_err(|error: pem::Error| unusable(error.to_string()))?);
        }
        if read.len() == before {
            return Err(unusable("it contains no certificate, neither as PEM nor as DER".to_owned()));
        }
    }
    Ok(read)
}
