import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type AuditEvent, auditHash } from "./audit-entry.js";

/** The largest number of entries that {@link checkAuditLog} reads at once. */
const PAGE = 1_000;

/** The result of {@link checkAuditLog}. */
export interface AuditCheck {
  /** The last entry of the intact part. Absent if the log has no intact entry. */
  readonly intactUpTo?: Pick<AuditEvent, "seq" | "at" | "hash">;
  /** The number of the first entry that was changed or removed. */
  readonly brokenAt?: number;
}

/**
 * Reads the whole audit log and checks its hash chain.
 *
 * The check alone does not detect entries that were removed from the end, or a log that was
 * replaced as a whole. To detect both, store `intactUpTo` elsewhere, and pass it as `since`.
 *
 * @param since - an entry that was intact. The check begins with this entry. If the log does not
 *   contain it unchanged, `brokenAt` is its number. By default, the check begins with the first
 *   entry.
 * @returns the end of the intact part, and the first broken entry.
 * @example
 * ```ts
 * import { checkAuditLog } from "@tillkit/core/operators";
 *
 * const checked = await checkAuditLog(ports);
 * const isIntact = checked.isOk() && checked.value.brokenAt === undefined;
 * ```
 */
export function checkAuditLog(
  ports: Pick<Ports, "auditLog" | "digest">,
  since?: Pick<AuditEvent, "seq" | "hash">,
): ResultAsync<AuditCheck, StorageFailure> {
  return attempt(async () => {
    let last: AuditCheck["intactUpTo"];
    if (since !== undefined) {
      const page = await ports.auditLog.read(since.seq - 1, 1);
      if (page.isErr()) return page;
      const [event] = page.value;
      if (event?.seq !== since.seq || event.hash !== since.hash) return ok({ brokenAt: since.seq });
      last = { seq: event.seq, at: event.at, hash: event.hash };
    }
    for (;;) {
      const page = await ports.auditLog.read(last?.seq ?? 0, PAGE);
      if (page.isErr()) return page;
      for (const event of page.value) {
        const previousHash = last?.hash ?? "";
        const follows = event.seq === (last?.seq ?? 0) + 1 && event.previousHash === previousHash;
        if (!follows || event.hash !== auditHash(ports.digest, previousHash, event))
          return ok({ ...intactUpTo(last), brokenAt: (last?.seq ?? 0) + 1 });
        last = { seq: event.seq, at: event.at, hash: event.hash };
      }
      if (page.value.length < PAGE) return ok(intactUpTo(last));
    }
  });
}

function intactUpTo(last: AuditCheck["intactUpTo"]): AuditCheck {
  return last === undefined ? {} : { intactUpTo: last };
}
