export {
  ERROR_CATALOG,
  type ErrorCategory,
  type ErrorEntry,
  type FailureName,
  type Message,
} from "./catalog.js";
export { CODE_RANGES, type CodeRange } from "./code-ranges.js";
export {
  fail,
  type Failure,
  type FailureOf,
  isStorageFailure,
  type StorageFailure,
  type StorageFailureName,
} from "./failure.js";
export { httpStatus } from "./http-status.js";
export { errorCode, harmlessErrorCode, innerErrors, isError } from "./is-error.js";
export { failureMessage, type Language } from "./message.js";
export {
  CODE_TRIES_REASONS,
  type CodeTriesReason,
  IDENTITY_RULES,
  type IdentityRule,
  PARAMETER_RULES,
  type ParameterRule,
  NOT_ADOPTED_RULES,
  type NotAdopted,
  PAY_SOURCE_RULES,
  type PaySourceRule,
  SMS_QUOTA_REASONS,
  type SmsQuotaReason,
  WALLET_FAILURE_KINDS,
  type WalletFailureKind,
} from "./rule-texts.js";
