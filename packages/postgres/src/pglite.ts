export { type FolderLock, type FolderLockFailure, lockFolder } from "./folder-lock.js";
export { type EmbeddedFailure, type EmbeddedOptions, openEmbedded } from "./open-embedded.js";
export { pgliteClient, type PgliteDatabase, type PgliteQueries } from "./pglite-client.js";
export { type SnapshotFailure, writeSnapshot } from "./write-snapshot.js";
