export { type EmbeddedFailure, openEmbedded } from "./open-embedded.js";
export { pgliteClient } from "./pglite-client.js";
