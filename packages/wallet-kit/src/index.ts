export { columns, type Fields } from "./bills/columns.js";
export { handOverBill, handOverFlow } from "./bills/hand-over-bill.js";
export { badBill, readStages, type SpoiltLine, type Stage, type Step } from "./bills/read-stages.js";
export { type RowForm, rowReader, type RowReader, type UnreadableRow } from "./bills/row-reader.js";
export { textLines, type TextLinesOptions } from "./bills/text-lines.js";
export {
  type LearnedKey,
  learnedKeys,
  type LearnedKeys,
  type LearnedKeysOptions,
  type Learning,
  type LearnOptions,
} from "./credentials/learned-keys.js";
export { readOnce } from "./credentials/read-once.js";
export { abortAfter } from "./gateway/abort-after.js";
export { inFlight, type InFlight, type NotBegun } from "./gateway/in-flight.js";
export { settledOrAborted } from "./gateway/settled-or-aborted.js";
export { signText } from "./signing/sign-text.js";
export { walletText, type WalletTextOptions } from "./texts/wallet-text.js";
