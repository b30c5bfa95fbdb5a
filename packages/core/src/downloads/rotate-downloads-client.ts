import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, lazySchema, naturalNumber, parseInput } from "../shared/input.js";
import { LONGEST_OVERLAP } from "../shared/limits.js";
import type { ChangeDownloadsClientPorts, UnknownDownloadsClient } from "./change-downloads-client.js";
import { newClientId } from "./create-downloads-client.js";
import type { DownloadsClient } from "./daily-count.js";

/** The downloads client is disabled, or was rotated before. Nothing was changed. */
export interface DownloadsClientEndedFailure {
  readonly name: "downloads-client.ended";
  readonly clientId: string;
}

/** The parameters of {@link rotateDownloadsClient}. */
export interface RotateDownloadsClientInput {
  readonly clientId: string;
  /** How long the previous id still works, milliseconds, from 0 to 366 days. */
  readonly overlap: number;
}

const rotateInput = lazySchema(() => z.object({ overlap: naturalNumber(LONGEST_OVERLAP) }));

/**
 * Replaces the id of a downloads client by a generated one.
 *
 * The new client has the same app and limit, and an allowance of its own. The previous id works for
 * another `overlap` milliseconds. In this time, you deploy the new id to the callers.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the new client. Fails with `downloads-client.unknown` if the client does not exist, and
 *   with `downloads-client.ended` if it is disabled or was rotated before.
 * @example
 * ```ts
 * import { rotateDownloadsClient } from "@tillkit/core/operators";
 *
 * const DAY = 24 * 60 * 60 * 1000;
 * const input = { clientId: "dlc_reports_of_notes", overlap: 7 * DAY };
 * const rotated = await rotateDownloadsClient(ports, input);
 * if (rotated.isErr()) throw new Error(rotated.error.name);
 * console.log(rotated.value.clientId);
 * ```
 */
export function rotateDownloadsClient(
  ports: ChangeDownloadsClientPorts,
  { clientId, overlap }: RotateDownloadsClientInput,
  by?: OperatorCommand,
): ResultAsync<
  DownloadsClient,
  InputFailure | UnknownDownloadsClient | DownloadsClientEndedFailure | StorageFailure
> {
  return attempt(async () => {
    const parsed = parseInput(rotateInput(), { overlap });
    if (parsed.isErr()) return parsed;
    const now = ports.clock.now();
    for (;;) {
      const client = await ports.downloadsClients.find(clientId);
      if (client.isErr()) return err(client.error);
      if (client.value === undefined) return err({ name: "downloads-client.unknown" } as const);
      if (client.value.endsAt !== undefined)
        return err({ name: "downloads-client.ended", clientId } as const);
      const { appId, dailyLimit } = client.value;
      const successor = { clientId: newClientId(ports), appId, dailyLimit, gmtCreate: now };
      const facts = {
        action: "downloads-client.rotate",
        subject: `downloads-client:${clientId}`,
        appId,
        detail: JSON.stringify({ overlap, successor: successor.clientId }),
      } as const;
      const audit = auditEntryIfAny(ports, by, facts);
      const done = await ports.downloadsClients.succeed(
        clientId,
        client.value,
        now + overlap,
        successor,
        audit,
      );
      if (done.isErr()) return err(done.error);
      if (done.value) return ok(successor);
      // Another operator changed the client in between.
    }
  });
}
