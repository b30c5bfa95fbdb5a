import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, lazySchema, naturalNumber, parseInput } from "../shared/input.js";
import type { DownloadsClient } from "./daily-count.js";

/** There is no downloads client with this id. */
export interface UnknownDownloadsClient {
  readonly name: "downloads-client.unknown";
}

const limitInput = lazySchema(() => z.object({ dailyLimit: naturalNumber() }));

/**
 * Changes how many requests a downloads client may send on a business day.
 *
 * Each process reads the new limit within a second. The audit entry keeps the previous limit, also
 * if another operator changes it at the same time.
 *
 * @param dailyLimit - from 0 to 10 000 000 000. With 0 the client gets no report.
 * @param by - who does it. With it, the audit log gets an entry in the same transaction.
 * @returns the changed client. Fails with `downloads-client.unknown` if it does not exist.
 * @example
 * ```ts
 * import { setDownloadsClientLimit } from "@tillkit/core";
 *
 * const changed = await setDownloadsClientLimit(ports, "report-1", 500);
 * ```
 */
export function setDownloadsClientLimit(
  ports: Pick<Ports, "downloadsClients" | "clock" | "random">,
  clientId: string,
  dailyLimit: number,
  by?: OperatorCommand,
): ResultAsync<DownloadsClient, InputFailure | UnknownDownloadsClient | StorageFailure> {
  return attempt(async () => {
    const parsed = parseInput(limitInput(), { dailyLimit });
    if (parsed.isErr()) return parsed;
    const known = await ports.downloadsClients.find(clientId);
    if (known.isErr()) return known;
    let stored = known.value;
    while (stored !== undefined) {
      const previous: number = stored.dailyLimit;
      const facts = {
        action: "downloads-client.limit",
        subject: `downloads-client:${clientId}`,
        appId: stored.appId,
        detail: JSON.stringify({ dailyLimit, before: { dailyLimit: previous } }),
      } as const;
      const audit = auditEntryIfAny(ports, by, facts);
      const set = await ports.downloadsClients.setDailyLimit(clientId, previous, dailyLimit, audit);
      if (set.isErr()) return err(set.error);
      stored = set.value;
      if (stored?.dailyLimit === dailyLimit) return ok(stored);
      // Another operator changed the limit in between: the entry must have that one.
    }
    return err({ name: "downloads-client.unknown" } as const);
  });
}
