export { abortAfter } from "./abort-after.js";
export { columns, type Fields } from "./bills/columns.js";
export { handOverBill, handOverFlow } from "./bills/hand-over-bill.js";
export { badBill, readStages, type SpoiltLine, type Stage, type Step } from "./bills/read-stages.js";
export { type RowForm, rowReader, type RowReader, type UnreadableRow } from "./bills/row-reader.js";
export { textLines, type TextLinesOptions } from "./bills/text-lines.js";
export { type FolderLock, type FolderLockFailure, lockFolder } from "./folder-lock.js";
export { inFlight, type InFlight, type NotBegun } from "./in-flight.js";
export {
  createKeyring,
  openFirstKeyring,
  readKeyring,
  type RotateKeyring,
  rotateKeyring,
} from "./keyring-file.js";
export type { Keyring, KeyringFailure, KeyringKey, KeyringList } from "./keyring.js";
export {
  type LearnedKey,
  learnedKeys,
  type LearnedKeys,
  type LearnedKeysOptions,
  type Learning,
  type LearnOptions,
} from "./learning/learned-keys.js";
export { settledOrAborted } from "./learning/settled-or-aborted.js";
export { nodeDigest, type NodeDigestOptions, type Pepper } from "./node-digest.js";
export { readOnce } from "./read-once.js";
export {
  rememberingAppStore,
  rememberingDownloadsClientStore,
  rememberingPayToolStore,
} from "./remembering/remembering-stores.js";
export { serverLimits } from "./server-limits.js";
export { signText } from "./sign-text.js";
export { silentObserver } from "./silent-observer.js";
export { systemClock } from "./system-clock.js";
export { systemRandom } from "./system-random.js";
export { walletText, type WalletTextOptions } from "./wallet-text.js";
