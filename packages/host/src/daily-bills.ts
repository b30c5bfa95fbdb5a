import {
  type BillPorts,
  billDay,
  type InputFailure,
  lastBillDay,
  listBillsToRepeat,
  parseInput,
  type Ports,
  type QuotaKey,
  reconcileBills,
  reconcileBillsInput,
} from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { Bill } from "@tillkit/core/ports";
import { err, ok, type Result, ResultAsync } from "neverthrow";

/** The ports that {@link dailyBills} uses. */
export type DailyBillPorts = BillPorts & Pick<Ports, "quotas">;

/** A time of the day in China, `HH:MM`. */
export type TimeOfDay = `${number}:${number}`;

/** The claim of one comparison. */
type BillClaim = QuotaKey & { readonly scope: "bills" };

/** After this time, a step starts no further comparison for an earlier day, in milliseconds. */
const LONGEST_REPETITION = 30 * 60_000;

const NOTHING_MORE = ok({ more: false } as const);

/**
 * Creates the step that compares the bills of the day before, once at each time of `at`.
 *
 * Then the step compares bills of earlier days that were missed or must be compared again, for up
 * to half an hour: see `listBillsToRepeat`. If a bill of an account cannot be compared, the step
 * skips the other bills of this account from earlier days.
 *
 * Only one process makes the comparison of a time of the day: the process that claims the time in
 * the quota store. If this process dies during the comparison, no process repeats it before the
 * next time of `at`. So name at least two times. A process that starts later in the day makes the
 * latest comparison if no other process did. Throws a `TypeError` if a text is not a time of the
 * day, or if the times do not ascend.
 *
 * @param at - times of the day in China, in ascending order.
 */
export function dailyBills(
  ports: DailyBillPorts,
  at: readonly TimeOfDay[],
): () => ResultAsync<{ readonly more: false }, StorageFailure | InputFailure> {
  const offsets = at.map((time) => ({ time, offset: offsetOf(time) }));
  if (offsets.some(({ offset }, index) => offset <= (offsets[index - 1]?.offset ?? -1)))
    throw new TypeError(`The times ${at.join(", ")} must ascend: each comparison follows the one before.`);
  // The last comparison that this process attempted. Remembering it saves a query per step.
  let attempted: string | undefined;
  // The claim of a failed comparison. No process can compare again before the claim is given back.
  let owed: { readonly key: BillClaim; readonly day: string } | undefined;

  async function giveBackOwed(): Promise<Result<void, StorageFailure>> {
    if (owed === undefined) return ok(undefined);
    const given = await ports.quotas.giveBack(owed.key, owed.day);
    if (given.isOk()) owed = undefined;
    return given;
  }

  function compare(bills: Partial<Bill>) {
    return parseInput(reconcileBillsInput(), bills).asyncAndThen((input) => reconcileBills(ports, input));
  }

  /** Compares bills of earlier days. A failed bill is compared again at the next time of `at`. */
  async function compareEarlier(): Promise<Result<void, StorageFailure | InputFailure>> {
    const bills = await listBillsToRepeat(ports);
    if (bills.isErr()) return err(bills.error);
    const stopsAt = ports.clock.now() + LONGEST_REPETITION;
    const failed = new Set<string>();
    let failure: StorageFailure | InputFailure | undefined;
    for (const bill of bills.value) {
      if (ports.clock.now() >= stopsAt) break;
      const account = JSON.stringify([bill.payChannel, bill.appEnv, bill.accountId]);
      if (failed.has(account)) continue;
      const outcomes = await compare(bill);
      if (outcomes.isErr()) failure = outcomes.error;
      // The wallet probably refuses the account's other bills, too.
      if (outcomes.isErr() || outcomes.value.some(({ kind }) => kind === "not-compared")) failed.add(account);
    }
    return failure === undefined ? ok(undefined) : err(failure);
  }

  async function step(): Promise<Result<{ readonly more: false }, StorageFailure | InputFailure>> {
    const given = await giveBackOwed();
    if (given.isErr()) return err(given.error);
    const now = ports.clock.now();
    const day = lastBillDay(now);
    const latest = offsets.findLast(({ offset }) => billDay(day).endsAt + offset <= now);
    if (latest === undefined) return NOTHING_MORE;
    const key: BillClaim = { scope: "bills", subject: `${day}/${latest.time}` };
    if (key.subject === attempted) return NOTHING_MORE;
    const claim = await ports.quotas.take(key, { day, limit: 1, now, spacing: 0 });
    if (claim.isErr()) return err(claim.error);
    attempted = key.subject;
    if (!claim.value.granted) return NOTHING_MORE;
    const compared = await compare({ day });
    if (compared.isOk()) return (await compareEarlier()).andThen(() => NOTHING_MORE);
    attempted = undefined;
    owed = { key, day };
    // If the storage fails here too, the next step gives the claim back.
    await giveBackOwed();
    return err(compared.error);
  }

  return () => new ResultAsync(step());
}

function offsetOf(time: TimeOfDay): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hours === undefined || minutes === undefined)
    throw new TypeError(`"${time}" is not a time of the day: write hours and minutes, such as "10:30".`);
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}
