export { type FolderLock, type FolderLockFailure, lockFolder } from "./embedded/folder-lock.js";
export { type EmbeddedFailure, type EmbeddedOptions, openEmbedded } from "./embedded/open-embedded.js";
export { pgliteClient, type PgliteDatabase, type PgliteQueries } from "./client/pglite-client.js";
export { type SnapshotFailure, writeSnapshot } from "./embedded/write-snapshot.js";
