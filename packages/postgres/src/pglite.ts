export { type EmbeddedFailure, type EmbeddedOptions, openEmbedded } from "./open-embedded.js";
export { pgliteClient, type PgliteDatabase, type PgliteQueries } from "./pglite-client.js";
