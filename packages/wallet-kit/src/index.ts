export { columns, type Fields } from "./bills/columns.js";
export { streamBillLines, streamFlowLines } from "./bills/stream-bill-lines.js";
export {
  invalidBill,
  parseLines,
  type InvalidLine,
  type ParseState,
  type ParsedLine,
} from "./bills/parse-lines.js";
export {
  type RowForm,
  billRowReader,
  type BillRowReader,
  type UnreadableBillRow,
} from "./bills/bill-row-reader.js";
export { textLines, type TextLinesOptions } from "./bills/text-lines.js";
export {
  type DownloadedKey,
  downloadedKeys,
  type DownloadedKeys,
  type DownloadedKeysOptions,
  type PendingDownload,
  type KeyDownloadOptions,
} from "./credentials/downloaded-keys.js";
export { memoizeByAccount } from "./credentials/memoize-by-account.js";
export { abortAfter } from "./gateway/abort-after.js";
export { createKeyedLimiter, type KeyedLimiter, type NotStarted } from "./gateway/keyed-limiter.js";
export { settledOrAborted } from "./gateway/settled-or-aborted.js";
export { signText } from "./signing/sign-text.js";
export { walletText, type WalletTextOptions } from "./texts/wallet-text.js";
