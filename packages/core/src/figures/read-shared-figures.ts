import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { BILL_EXCEPTION_KINDS } from "../orders/bill-exception-kind.js";
import type { StorageFailure } from "../errors/failure.js";
import { PAY_CHANNELS } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { OPEN_REFUND_STATUSES } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";
import { lazySchema } from "../shared/input.js";
import { newId } from "../shared/random.js";
import type { PayToolCredentialExpiry } from "../wallets/wallet.js";
import { readRecordFigures, type RecordFigures, type RecordFiguresPorts } from "./read-record-figures.js";

/** The age from which a reading is replaced, in milliseconds. */
const FRESH_FOR = 15_000;
/** How long another process waits for a process that died while it read, in milliseconds. */
const LEASE = 30_000;
/** A reading of this age or older is not returned, in milliseconds. */
const LONGEST_AGE = 5 * 60_000;

/** The ports that {@link readSharedFigures} uses. */
export type SharedFiguresPorts = RecordFiguresPorts & Pick<Ports, "figures" | "random">;

/** The figures, and when they were read, epoch milliseconds. */
export interface SharedFigures {
  readonly at: number;
  readonly figures: RecordFigures;
}

const storedFigures = lazySchema(() => {
  const count = z.number();
  const due = z.object({ due: count, oldestDueAt: count.exactOptional() });
  return z.object({
    alarms: z.array(z.object({ type: z.string(), count })),
    refunds: z.array(z.object({ status: z.enum(OPEN_REFUND_STATUSES), count, oldestAt: count })),
    approvals: count,
    exceptions: z.array(z.object({ kind: z.enum(BILL_EXCEPTION_KINDS), count, oldestAt: count })),
    missingDays: z.array(
      z.object({
        payChannel: z.enum(PAY_CHANNELS),
        appEnv: z.enum(["DEV", "PROD"]),
        accountId: z.string(),
        count,
      }),
    ),
    queues: z.object({ orders: due, refunds: due, events: due, parkedEvents: due }),
    credentials: z.array(z.object({ payChannel: z.enum(PAY_CHANNELS), name: z.string(), expiresAt: count })),
  });
});

/**
 * Returns the figures, which one process at a time reads for all processes.
 *
 * A call reads the figures again if the stored reading is at least 15 seconds old and no other
 * process is reading them. Every other call gets the stored reading, so the cost does not grow with
 * the number of processes.
 *
 * @param readExpiries - returns when the credentials expire, for example from a cache. Only called
 *   by the process that reads the figures.
 * @returns `undefined` if no reading is younger than five minutes.
 * @example
 * ```ts
 * import { readCredentialExpiries, readSharedFigures } from "@tillkit/core";
 *
 * const readExpiries = () => readCredentialExpiries(ports).map(({ expiries }) => expiries);
 * const shared = await readSharedFigures(ports, readExpiries);
 * if (shared.isOk()) console.log(shared.value?.figures.refunds);
 * ```
 */
export function readSharedFigures(
  ports: SharedFiguresPorts,
  readExpiries: () => ResultAsync<readonly PayToolCredentialExpiry[], StorageFailure>,
): ResultAsync<SharedFigures | undefined, StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const id = newId(ports);
    const claim = { id, now, until: now + LEASE, olderThan: now - FRESH_FOR };
    const grant = await ports.figures.claim(claim);
    if (grant.isErr()) return grant;
    const { isClaimed, reading } = grant.value;
    if (!isClaimed) {
      const figures = reading && reading.at > now - LONGEST_AGE ? parseFigures(reading.text) : undefined;
      return ok(reading && figures && { at: reading.at, figures });
    }
    const expiries = await readExpiries();
    if (expiries.isErr()) return expiries;
    const figures = await readRecordFigures(ports, expiries.value);
    if (figures.isErr()) return figures;
    const text = JSON.stringify(figures.value);
    return (await ports.figures.save(id, { text, at: now })).map(() => ({ at: now, figures: figures.value }));
  });
}

/** Returns `undefined` for a text of another version of Tillkit. */
function parseFigures(text: string): RecordFigures | undefined {
  try {
    return storedFigures().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
