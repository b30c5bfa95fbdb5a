export {
  billRowReader,
  type BillRowReader,
  type RowForm,
  type UnreadableBillRow,
} from "./bills/bill-row-reader.js";
export { columnNames, columns, type Fields } from "./bills/columns.js";
export { lineNumbers } from "./bills/line-numbers.js";
export {
  invalidBill,
  type InvalidLine,
  type ParsedLine,
  parseLines,
  type ParseState,
} from "./bills/parse-lines.js";
export { streamBillLines, streamFlowLines } from "./bills/stream-bill-lines.js";
export { textLines, type TextLinesOptions } from "./bills/text-lines.js";
export {
  type DownloadedKey,
  downloadedKeys,
  type DownloadedKeys,
  type DownloadedKeysOptions,
  type KeyDownloadOptions,
  type PendingDownload,
} from "./credentials/downloaded-keys.js";
export { memoizeByAccount } from "./credentials/memoize-by-account.js";
export { memoizeByObject } from "./credentials/memoize-by-object.js";
export {
  type KeyFault,
  readCertificates,
  readPrivateKey,
  readPublicKeys,
  requireStrongRsa,
} from "./credentials/read-key.js";
export { reportNewKey } from "./credentials/report-new-key.js";
export { abortAfter, withDeadline } from "./gateway/abort-after.js";
export { clockMeter, type ClockMeterOptions, type MeasureClock } from "./gateway/clock-meter.js";
export { createKeyedLimiter, type KeyedLimiter, type NotStarted } from "./gateway/keyed-limiter.js";
export { notStartedFailure } from "./gateway/not-started-failure.js";
export { outgoingAgent } from "./gateway/outgoing-agent.js";
export { parseGatewayUrl } from "./gateway/parse-gateway-url.js";
export { settledOrAborted } from "./gateway/settled-or-aborted.js";
export { type JsonSchema, readJson } from "./json/read-json.js";
export { canSign, signText, verifySignature } from "./signing/signature.js";
export { walletText, type WalletTextOptions } from "./texts/clean-wallet-text.js";
export { BEIJING_TIME, beijingTime, instantOfBeijingTime } from "./times/beijing-time.js";
export type { RequestHeaders } from "./gateway/request-headers.js";
export { providerOf } from "./credentials/provider-of.js";
