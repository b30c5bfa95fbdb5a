export { type FolderLock, type FolderLockFailure, lockFolder } from "./folder-lock.js";
export type { Keyring, KeyringFailure, KeyringKey, KeyringList } from "./keyring.js";
export { createKeyring, readKeyring, type RotateKeyring, rotateKeyring } from "./keyring-file.js";
export { nodeDigest, type NodeDigestOptions, type Pepper } from "./node-digest.js";
export { silentObserver } from "./silent-observer.js";
export { systemClock } from "./system-clock.js";
export { systemRandom } from "./system-random.js";
