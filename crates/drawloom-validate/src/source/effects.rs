//! What a command states that it does, and about the consent of the person, where the source writes it out.

use drawloom_command::{AgentConsent, Effects};
use syn::Expr;

use super::expression::unwrapped;
use super::scope::Scope;

/// `Effects::destroys().irreversible()` and its like; `None` for everything else.
pub(super) fn effects_said(expression: &Expr, scope: &Scope) -> Option<Effects> {
    let mut stated = Vec::new();
    let mut expression = unwrapped(expression);
    while let Expr::MethodCall(call) = expression {
        stated.push(call.method.to_string());
        expression = unwrapped(&call.receiver);
    }
    let Expr::Call(call) = expression else { return None };
    let effects = match member_of("Effects", unwrapped(&call.func), scope)?.as_str() {
        "reads" => Effects::reads(),
        "changes" => Effects::changes(),
        "destroys" => Effects::destroys(),
        _ => return None,
    };
    stated.iter().try_fold(effects, |effects, method| match method.as_str() {
        "idempotent" => Some(effects.idempotent()),
        "outside" => Some(effects.outside()),
        "untrusted_answer" => Some(effects.untrusted_answer()),
        "irreversible" => Some(effects.irreversible()),
        _ => None,
    })
}

/// `AgentConsent::Ask` and its like; `None` for everything else.
pub(super) fn consent_said(expression: &Expr, scope: &Scope) -> Option<AgentConsent> {
    match member_of("AgentConsent", unwrapped(expression), scope)?.as_str() {
        "Allow" => Some(AgentConsent::Allow),
        "Ask" => Some(AgentConsent::Ask),
        "AskAlways" => Some(AgentConsent::AskAlways),
        "Never" => Some(AgentConsent::Never),
        _ => None,
    }
}

/// The last part of a path, if the part before it is `of`.
fn member_of(of: &str, expression: &Expr, scope: &Scope) -> Option<String> {
    let Expr::Path(path) = expression else { return None };
    let path = scope.imports.applied(&path.path);
    let [.., before, last] = path.as_slice() else { return None };
    (before == of).then(|| last.clone())
}
