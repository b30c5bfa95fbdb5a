import { err, ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import type { BusinessDay } from "../shared/calendar.js";
import { tell } from "../shared/observer.js";
import { isId, newId } from "../shared/random.js";
import { steps } from "../shared/steps.js";
import { callWallet } from "../wallets/call-wallet.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { EMPTY_BILL, isSameTally, tallyLines } from "./bill-tally.js";
import type { Bill, BilledMerchant } from "./bill.js";
import { BILL_PAGE, type BillRun, compareBill, type ComparePorts, type Difference } from "./compare-bill.js";
import { healDifferences, type HealPorts } from "./heal-differences.js";
import type { BillLine, BillTotals } from "./wallet-bill.js";

/** The ports that reconciling a bill touches. */
export type BillPorts = ComparePorts & HealPorts & Pick<Ports, "random">;

/** What comparing one bill came to. Amounts are cents. */
export interface ReconciledBill {
  /** What the bill holds in all. */
  readonly totals: BillTotals;
  /** The part of it whose numbers no order here can have: the merchant sells elsewhere too. It is counted and not compared. */
  readonly foreign: BillTotals;
  /** Differences this run found that are OPEN now. */
  readonly open: number;
  /** Differences of this run that an answer of the wallet healed. */
  readonly healed: number;
  /** Differences of earlier runs over this bill that this one did not find any more. */
  readonly gone: number;
}

/** Why a bill was not compared. Nothing was concluded from what was read of it. */
export type BillFailure = WalletFailure | FailureOf<"pay-tool.not-configured" | "storage.unavailable">;

/** How far a run over a bill is. */
export interface BillProgress {
  readonly bill: Bill;
  readonly doing: "reading" | "comparing";
  /** Lines read, or compared, so far. */
  readonly lines: number;
}

/** Hears how far a run is. */
export type OnBillProgress = (progress: BillProgress) => void;

/**
 * Reads a merchant's bill of a day, puts its lines aside, compares them with the record once the bill is known to be whole, and asks the wallet about what its answer can
 * settle. It may run again, and in several processes at once: they come to the same table of exceptions.
 */
export function reconcileBill(
  ports: BillPorts,
  { merchant, payToolIds, asking }: BilledMerchant,
  day: BusinessDay,
  onProgress: OnBillProgress,
): ResultAsync<ReconciledBill, BillFailure> {
  return steps(async function* () {
    const account = yield* ports.payTools.find(asking.id);
    if (account === undefined) return fail("pay-tool.not-configured");
    const run: BillRun = {
      runId: newId(ports),
      bill: { ...merchant, day: day.date },
      scope: { payToolIds: new Set(payToolIds), from: day.startsAt, until: day.endsAt },
      asOf: ports.clock.now(),
    };
    const compared = await readLines(ports, run, account, onProgress).andThen((read) =>
      settleLines(ports, run, onProgress).map((settled) => ({ ...read, ...settled })),
    );
    // Whatever came of it, its lines are not left behind.
    yield* discardLines(ports, run);
    return compared;
  });
}

function readLines(
  ports: BillPorts,
  { runId, bill }: BillRun,
  account: WalletAccount,
  onProgress: OnBillProgress,
) {
  return steps(async function* () {
    let [read, foreign] = [EMPTY_BILL, EMPTY_BILL];
    const totals = yield* callWallet(ports, bill.payChannel, "readBill", (wallet) =>
      wallet.readBill(
        account,
        bill.day,
        (lines) => {
          const [ours, others] = byOwner(lines);
          read = tallyLines(read, lines);
          foreign = tallyLines(foreign, others);
          onProgress({ bill, doing: "reading", lines: read.payments + read.refunds });
          return ports.billLines.stage(runId, ours, ports.clock.now());
        },
        { deadline: ports.policy.billDeadline },
      ),
    );
    return isSameTally(read, totals) ? ok({ totals, foreign }) : err(NOT_WHOLE);
  });
}

/** The lines that an order here can have, and the others. */
function byOwner(lines: readonly BillLine[]): readonly [BillLine[], BillLine[]] {
  const [ours, others]: [BillLine[], BillLine[]] = [[], []];
  for (const line of lines) (isId(line.outTradeNo) ? ours : others).push(line);
  return [ours, others];
}

const NOT_WHOLE: WalletFailure = {
  name: "wallet.unknown",
  cause: "unverified",
  detail: "the lines of the bill do not add up to its totals",
};

function settleLines(ports: BillPorts, run: BillRun, onProgress: OnBillProgress) {
  return steps(async function* () {
    const { bill, asOf } = run;
    let [open, healed, compared, gone] = [0, 0, 0, 0];
    const take = (differences: readonly Difference[]): ResultAsync<void, StorageFailure> =>
      steps(async function* () {
        if (differences.length === 0) return ok(undefined);
        const held = yield* ports.billExceptions.report(differences.map(({ found }) => found));
        const unsettled = new Set(held.flatMap(({ id, state }) => (state === "OPEN" ? [id] : [])));
        const settled = yield* healDifferences(
          ports,
          differences.filter(({ found }) => unsettled.has(found.id)),
        );
        healed += settled;
        open += unsettled.size - settled;
        return ok(undefined);
      });
    yield* compareBill(ports, run, take, (lines) => {
      compared += lines;
      onProgress({ bill, doing: "comparing", lines: compared });
    });
    for (;;) {
      const closed = yield* ports.billExceptions.closeUnseen(
        bill,
        { asOf, at: ports.clock.now() },
        BILL_PAGE,
      );
      gone += closed;
      if (closed < BILL_PAGE) break;
    }
    tell(ports, { type: "bill.reconciled", payChannel: bill.payChannel, day: bill.day, open, healed });
    return ok({ open, healed, gone });
  });
}

function discardLines(ports: Pick<Ports, "billLines" | "policy">, { runId }: BillRun) {
  const { housekeepingRows } = ports.policy;
  return steps(async function* () {
    while ((yield* ports.billLines.discard(runId, housekeepingRows)) === housekeepingRows);
    return ok(undefined);
  });
}
