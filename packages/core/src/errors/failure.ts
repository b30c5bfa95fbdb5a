import { type Err, err } from "neverthrow";
import type { FailureName } from "./catalog.js";
import type {
  CodeTriesReason,
  IdentityRule,
  NotAdopted,
  ParameterRule,
  PaySourceRule,
  SmsQuotaReason,
  WalletFailureKind,
} from "./rule-texts.js";

/** The details that a failure carries in addition to its name. */
interface FailureDetails {
  /**
   * `detail` is a sentence for a caller in this process. It never appears in a response, because
   * an unknown app and a wrong secret must not differ there.
   */
  "credentials.invalid": { readonly detail?: string };
  "parameter.missing": { readonly parameter: string };
  "parameter.invalid": { readonly parameter: string; readonly rule: ParameterRule };
  "pay-source.invalid": { readonly rule: PaySourceRule };
  /** `parameter` is the name under which the host's callers send the address. */
  "payer-address.invalid": { readonly parameter: string };
  "customer-identity.forbidden": { readonly rule: IdentityRule };
  "biz-no.conflict": { readonly fields: readonly string[] };
  "wallet-b.failed": { readonly kind: WalletFailureKind };
  /** `retryAfter` is in seconds, for people and for the `Retry-After` header. */
  "mobile-no.locked": { readonly retryAfter: number };
  "auth-code.attempts-exceeded": { readonly reason: CodeTriesReason; readonly retryAfter?: number };
  "sms.quota-exceeded": { readonly reason: SmsQuotaReason; readonly retryAfter?: number };
  "refund.exceeds-remaining": { readonly remaining: number };
  "refund-no.conflict": { readonly amount: number };
  /** `status` is the status of the refund, one of `REFUND_STATUSES`. */
  "refund.status-conflict": { readonly status: string };
  "refund.not-adopted": { readonly because: NotAdopted };
  /** `cause` is for the host's exception log. It never appears in a response. */
  "storage.unavailable": { readonly cause?: unknown };
  /**
   * `remedy` is one line for the operator, without data of customers. Neither `remedy` nor `cause`
   * appears in a response.
   */
  "storage.misconfigured": { readonly cause?: unknown; readonly remedy: string };
}

type DetailsOf<N extends FailureName> = N extends keyof FailureDetails ? FailureDetails[N] : unknown;

/** The failure named `N`: plain data, to be matched by `name`. */
export type FailureOf<N extends FailureName> = N extends FailureName
  ? { readonly name: N } & DetailsOf<N>
  : never;

/** Any failure of the payments and sessions functions. */
export type Failure = FailureOf<FailureName>;

/**
 * The names of the failures of a storage port.
 *
 * `storage.unavailable` is temporary, so the same call may succeed later. `storage.misconfigured`
 * lasts until the operator removes its cause.
 */
export type StorageFailureName = "storage.unavailable" | "storage.misconfigured";

/** The only failures of a storage port. */
export type StorageFailure = FailureOf<StorageFailureName>;

/**
 * Returns whether the storage failed, so that it is unknown what the call has done.
 *
 * @returns true for every failure of a storage port.
 * @example
 * ```ts
 * import { isStorageFailure } from "@tillkit/core/errors";
 *
 * const found = await ports.orders.find({ appId: "app_1", bizNo: "order-1001" });
 * if (found.isErr() && isStorageFailure(found.error)) console.error(found.error.cause);
 * ```
 */
export function isStorageFailure<F extends { readonly name: string }>(
  failure: F,
): failure is Extract<F, StorageFailure> {
  return failure.name === "storage.unavailable" || failure.name === "storage.misconfigured";
}

/**
 * Returns an `Err` with the failure `name` and its details.
 *
 * @returns an `Err` for the `Result` of a function.
 * @example
 * ```ts
 * import { fail } from "@tillkit/core/errors";
 * import { ok } from "neverthrow";
 *
 * const positive = (amount: number) => (amount > 0 ? ok(amount) : fail("amount.invalid"));
 * ```
 */
export function fail<N extends FailureName>(
  name: N,
  ...details: N extends keyof FailureDetails
    ? Record<never, never> extends FailureDetails[N]
      ? [FailureDetails[N]?]
      : [FailureDetails[N]]
    : []
): Err<never, FailureOf<N>>;
export function fail(name: FailureName, details?: object) {
  return err({ ...details, name });
}
