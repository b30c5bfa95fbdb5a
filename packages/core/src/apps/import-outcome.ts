import type { IdentityRule } from "../errors/rule-texts.js";
import { ok, type ResultAsync } from "neverthrow";
import type { App } from "./app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { isAfter } from "../shared/recorded-time.js";

/**
 * The result of one imported record.
 *
 * - `imported`: the record is new, and this call stored it.
 * - `unchanged`: the same record was stored already.
 * - `connected`: the same order was stored already, and now has a pay tool.
 * - `replaced`: the stored record, which only imports had changed, now has the values of the line.
 *
 * Every other outcome changes nothing.
 */
export type ImportOutcome =
  | { readonly outcome: "imported" | "unchanged" | "connected" | "replaced" }
  /** A record is stored, and the line contradicts it. */
  | { readonly outcome: "conflict"; readonly reason: ImportConflict }
  /** `rule` is the check of the app that refuses the identity of the customer. */
  | { readonly outcome: "forbidden-identity"; readonly rule: IdentityRule }
  | { readonly outcome: "unknown-app" }
  /** The time of `member` is later than the clock of this machine. */
  | { readonly outcome: "future-time"; readonly member: string }
  /** The order cannot be connected, because the app has no pay tool of its channel. */
  | { readonly outcome: "no-pay-tool" }
  /** The phone number is not valid. The outcome does not contain it. */
  | { readonly outcome: "wrong-number" }
  /** The phone hash was made with a version of the pepper (its key) that the host does not have. */
  | { readonly outcome: "unknown-pepper" };

/**
 * How a line contradicts a stored record.
 *
 * - `other-values`: the record with this key has other values.
 * - `id-taken`: another order has this `id`.
 * - `other-id`: the order with this key has another `id`, which cannot be replaced.
 * - `touched`: the record with this key has other values, and something other than an import has
 *   changed it.
 */
export type ImportConflict = "other-values" | "id-taken" | "other-id" | "touched";

/** How records are imported. */
export interface ImportOptions {
  /** Checks everything and stores nothing. Defaults to false. */
  readonly dryRun?: boolean;
  /**
   * The operator who corrects records. If set, a line replaces a stored record that has other
   * values and that only imports changed. Each replaced record has an entry in the audit log.
   */
  readonly replaceUntouched?: OperatorCommand;
  /**
   * What the earlier batches of a dry run would have stored. A dry run adds what it would store.
   *
   * Pass one map for all batches of a file. Otherwise a dry run does not notice that lines of two
   * batches contradict each other.
   */
  readonly dryRunState?: Map<string, string>;
}

/** Returns the apps of the records by id. An app that does not exist is absent. */
export function appsOf(
  { apps }: Pick<Ports, "apps">,
  records: readonly { readonly appId: string }[],
): ResultAsync<ReadonlyMap<string, App>, StorageFailure> {
  return attempt(async () => {
    const byId = new Map<string, App>();
    for (const appId of new Set(records.map((record) => record.appId))) {
      const app = await apps.find(appId);
      if (app.isErr()) return app;
      if (app.value !== undefined) byId.set(appId, app.value);
    }
    return ok(byId);
  });
}

/** Returns the outcome of a record with a time in the future, or `undefined`. */
export function futureTime<M extends string>(
  record: Readonly<Partial<Record<M, number | undefined>>>,
  members: readonly M[],
  now: number,
): ImportOutcome | undefined {
  const member = members.find((name) => isAfter(record[name] ?? now, now));
  return member === undefined ? undefined : { outcome: "future-time", member };
}
