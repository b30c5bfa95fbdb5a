import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { AuditAction } from "../audit/audit-action.js";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, lazySchema, naturalNumber, parseInput } from "../shared/input.js";
import type { DownloadsClient, DownloadsClientTerms } from "./daily-count.js";

/** There is no downloads client with this id. */
export interface UnknownDownloadsClient {
  readonly name: "downloads-client.unknown";
}

/** The ports that the changes of a downloads client use. */
export type ChangeDownloadsClientPorts = Pick<Ports, "downloadsClients" | "clock" | "random">;

const limitInput = lazySchema(() => z.object({ dailyLimit: naturalNumber() }));

/**
 * Changes how many requests a downloads client may send on a business day.
 *
 * Each process reads the new limit within a second. The audit entry has the limit that this call
 * replaced, also if another operator changes the limit at the same time.
 *
 * @param dailyLimit - from 0 to 10 000 000 000. With 0 the client gets no report.
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the changed client. Fails with `downloads-client.unknown` if it does not exist.
 * @example
 * ```ts
 * import { setDownloadsClientLimit } from "@tillkit/core/operators";
 *
 * const changed = await setDownloadsClientLimit(ports, "dlc_reports_of_notes", 500);
 * ```
 */
export function setDownloadsClientLimit(
  ports: ChangeDownloadsClientPorts,
  clientId: string,
  dailyLimit: number,
  by?: OperatorCommand,
): ResultAsync<DownloadsClient, InputFailure | UnknownDownloadsClient | StorageFailure> {
  return attempt(async () => {
    const parsed = parseInput(limitInput(), { dailyLimit });
    if (parsed.isErr()) return parsed;
    return changed(ports, clientId, by, {
      action: "downloads-client.limit",
      next: ({ endsAt }) => ({ dailyLimit, ...(endsAt === undefined ? {} : { endsAt }) }),
      detail: (before) => ({ dailyLimit, before: { dailyLimit: before.dailyLimit } }),
    });
  });
}

/**
 * Disables a downloads client: each of its requests is rejected like one with an unknown id.
 *
 * Takes effect within a second. The counts and the client stay.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the disabled client. Fails with `downloads-client.unknown` if it does not exist.
 * @example
 * ```ts
 * import { disableDownloadsClient } from "@tillkit/core/operators";
 *
 * const disabled = await disableDownloadsClient(ports, "dlc_reports_of_notes");
 * ```
 */
export function disableDownloadsClient(
  ports: ChangeDownloadsClientPorts,
  clientId: string,
  by?: OperatorCommand,
): ResultAsync<DownloadsClient, UnknownDownloadsClient | StorageFailure> {
  const now = ports.clock.now();
  return attempt(async () =>
    changed(ports, clientId, by, {
      action: "downloads-client.disable",
      next: ({ dailyLimit, endsAt = now }) => ({ dailyLimit, endsAt: Math.min(endsAt, now) }),
      detail: endBefore,
    }),
  );
}

/**
 * Enables a downloads client again, or removes the end that a rotation gave it.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the enabled client. Fails with `downloads-client.unknown` if it does not exist.
 * @example
 * ```ts
 * import { enableDownloadsClient } from "@tillkit/core/operators";
 *
 * const enabled = await enableDownloadsClient(ports, "dlc_reports_of_notes");
 * ```
 */
export function enableDownloadsClient(
  ports: ChangeDownloadsClientPorts,
  clientId: string,
  by?: OperatorCommand,
): ResultAsync<DownloadsClient, UnknownDownloadsClient | StorageFailure> {
  return attempt(async () =>
    changed(ports, clientId, by, {
      action: "downloads-client.enable",
      next: ({ dailyLimit }) => ({ dailyLimit }),
      detail: endBefore,
    }),
  );
}

function endBefore({ endsAt }: DownloadsClientTerms): object {
  return { before: endsAt === undefined ? {} : { endsAt } };
}

interface Change {
  readonly action: AuditAction;
  readonly next: (stored: DownloadsClientTerms) => DownloadsClientTerms;
  /** The details of the entry, from the replaced terms. */
  readonly detail: (before: DownloadsClientTerms) => object;
}

/** Changes the stored terms. Repeats the change if another operator changed them in between. */
async function changed(
  ports: ChangeDownloadsClientPorts,
  clientId: string,
  by: OperatorCommand | undefined,
  { action, next, detail }: Change,
) {
  const first = await ports.downloadsClients.find(clientId);
  if (first.isErr()) return err(first.error);
  let client = first.value;
  while (client !== undefined) {
    const terms = next(client);
    const facts = { action, subject: `downloads-client:${clientId}`, appId: client.appId } as const;
    const audit = auditEntryIfAny(ports, by, { ...facts, detail: JSON.stringify(detail(client)) });
    const set = await ports.downloadsClients.change(clientId, client, terms, audit);
    if (set.isErr()) return err(set.error);
    client = set.value;
    if (client !== undefined && areEqual(client, terms)) return ok(client);
  }
  return err({ name: "downloads-client.unknown" } as const);
}

function areEqual(left: DownloadsClientTerms, right: DownloadsClientTerms): boolean {
  return left.dailyLimit === right.dailyLimit && left.endsAt === right.endsAt;
}
