import * as z from "zod";
import type { AuditEntry, AuditOutcome } from "./audit-entry.js";
import { ERROR_CATALOG, type FailureName } from "../errors/catalog.js";
import { fail, type Failure } from "../errors/failure.js";
import {
  IDENTITY_RULES,
  PARAMETER_RULES,
  PAY_SOURCE_RULES,
  WALLET_FAILURE_KINDS,
} from "../errors/rule-texts.js";
import { lazySchema } from "../shared/input.js";

/** A failure as functions of Tillkit return it: a name, and details that its text needs. */
interface NamedFailure {
  readonly name: string;
}

/** The failures after which it is unknown whether the change took effect. */
const UNCERTAIN: ReadonlySet<string> = new Set([
  "storage.unavailable",
  "storage.misconfigured",
  "refund.outcome-unknown",
]);

/**
 * Returns the outcome of a change that failed.
 *
 * @returns `unknown` if the change may have taken effect nevertheless, and `failed` otherwise.
 * @example
 * ```ts
 * import { outcomeOfFailure } from "@tillkit/core/operators";
 *
 * const outcome = outcomeOfFailure({ name: "refund.outcome-unknown" });
 * ```
 */
export function outcomeOfFailure({ name }: NamedFailure): Extract<AuditOutcome, "failed" | "unknown"> {
  return UNCERTAIN.has(name) ? "unknown" : "failed";
}

/**
 * The details of failures that the log may contain. No other detail is logged, such as a cause.
 */
const failureDetails = lazySchema(() =>
  z.object({
    parameter: z.string().optional(),
    rule: z.string().optional(),
    fields: z.array(z.string()).readonly().optional(),
    kind: z.enum(namesOf(WALLET_FAILURE_KINDS)).optional(),
    remaining: z.number().optional(),
    amount: z.number().optional(),
    status: z.string().optional(),
    until: z.number().optional(),
  }),
);

/**
 * Adds a failure to the detail of an audit entry.
 *
 * @param detail - other facts about the change, as JSON text of an object.
 * @returns JSON text with the name of the failure, and with the details that its text needs.
 * @example
 * ```ts
 * import { detailWithFailure } from "@tillkit/core/operators";
 *
 * const failure = { name: "refund-no.conflict", amount: 250 } as const;
 * const detail = detailWithFailure(failure);
 * ```
 */
export function detailWithFailure(failure: NamedFailure, detail = "{}"): string {
  const facts = z.record(z.string(), z.unknown()).parse(JSON.parse(detail));
  const details = failureDetails().safeParse(failure).data ?? {};
  const summary = { ...facts, failure: failure.name };
  return JSON.stringify(
    Object.keys(details).length === 0 ? summary : { ...summary, failureDetails: details },
  );
}

/** The failure that an audit entry names. */
export interface RecordedFailure {
  readonly name: string;
  /** The details that the text of the failure needs. */
  readonly details: RecordedFailureDetails;
  /** The failure. Absent if core's catalog does not contain it. */
  readonly failure?: Failure;
}

/** The details of a failure in an audit entry. */
export type RecordedFailureDetails = z.output<ReturnType<typeof failureDetails>>;

const recordedDetail = lazySchema(() =>
  z.object({ failure: z.string(), failureDetails: failureDetails().optional() }),
);

/**
 * Returns the failure that an audit entry names.
 *
 * @returns its name and details, and the failure if core's catalog contains it. `undefined` if the
 *   entry names no failure.
 * @example
 * ```ts
 * import { recordedFailure } from "@tillkit/core/operators";
 * import type { AuditEntry } from "@tillkit/core/ports";
 *
 * declare const entry: AuditEntry;
 *
 * const name = recordedFailure(entry)?.name;
 * ```
 */
export function recordedFailure({
  detail,
}: Partial<Pick<AuditEntry, "detail">>): RecordedFailure | undefined {
  if (detail === undefined) return undefined;
  const content = recordedDetail().safeParse(JSON.parse(detail));
  if (!content.success) return undefined;
  const { failure: name, failureDetails: details = {} } = content.data;
  return isFailureName(name) ? { name, details, failure: withDetails(name, details) } : { name, details };
}

function isFailureName(name: string): name is FailureName {
  return Object.hasOwn(ERROR_CATALOG, name);
}

/**
 * Creates the failure again. A detail that the entry lacks gets a placeholder, such as 0 or an
 * empty text.
 */
function withDetails(name: FailureName, details: RecordedFailureDetails): Failure {
  const { parameter = "", rule = "", fields = [], kind = "unavailable", amount = 0 } = details;
  const { remaining = 0, status = "" } = details;
  switch (name) {
    case "parameter.missing":
    case "payer-address.invalid":
      return fail(name, { parameter }).error;
    case "parameter.invalid":
      return fail(name, { parameter, rule: isIn(PARAMETER_RULES, rule) ? rule : "shape" }).error;
    case "pay-source.invalid":
      return fail(name, { rule: isIn(PAY_SOURCE_RULES, rule) ? rule : "unknown" }).error;
    case "customer-identity.forbidden":
      return fail(name, { rule: isIn(IDENTITY_RULES, rule) ? rule : "card" }).error;
    case "biz-no.conflict":
      return fail(name, { fields }).error;
    case "wallet-b.failed":
      return fail(name, { kind }).error;
    case "refund.exceeds-remaining":
      return fail(name, { remaining }).error;
    case "refund-no.conflict":
      return fail(name, { amount }).error;
    case "refund.status-conflict":
      return fail(name, { status }).error;
    case "storage.unavailable":
      return fail(name, {}).error;
    case "storage.misconfigured":
      return fail(name, { remedy: "" }).error;
    default:
      return fail(name).error;
  }
}

function isIn<K extends string>(table: Readonly<Record<K, unknown>>, name: string): name is K {
  return Object.hasOwn(table, name);
}

function namesOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table).filter((name): name is K => isIn(table, name));
}
