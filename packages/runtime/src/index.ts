export { closeServer } from "./close-server.js";
export {
  createKeyring,
  openOrCreateKeyring,
  readKeyring,
  type RotateKeyring,
  rotateKeyring,
} from "./keyring-file.js";
export type { Keyring, KeyringFailure, KeyringKey, KeyringList } from "./keyring.js";
export { LONGEST_TIMER_MS } from "./longest-timer.js";
export { looksLikeProduction, type ProductionSigns } from "./looks-like-production.js";
export { nodeCompressor } from "./node-compressor.js";
export { nodeDigest, type NodeDigestOptions, type Pepper } from "./node-digest.js";
export { type PolicyFailure, readPolicy } from "./policy-file.js";
export { followLinks } from "./replace-file.js";
export { scryptHasher } from "./scrypt-hasher.js";
export { serverLimits } from "./server-limits.js";
export { noopObserver } from "./noop-observer.js";
export { stderrObserver, type StderrObserverOptions } from "./stderr-observer.js";
export { systemClock } from "./system-clock.js";
export { systemRandom } from "./system-random.js";
export {
  type FileFailure,
  openFile,
  type OpenFile,
  type OpenFileOptions,
  readTextFile,
  type ReadTextFileOptions,
} from "./text-file.js";
export { valueOrTimeout } from "./value-or-timeout.js";
