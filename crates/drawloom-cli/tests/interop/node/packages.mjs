// The packages of package.json, from where `cargo xtask interop` installed them: outside of the sources, so a plain
// import would not find them.
import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(join(process.env.DRAWLOOM_INTEROP_NODE, "package.json"));

export const schemas = load("@ag-ui/core/schemas");
export const client = load("@ag-ui/client");
export const rxjs = load("rxjs");
