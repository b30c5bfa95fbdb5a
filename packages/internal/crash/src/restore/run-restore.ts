import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { orThrow, PAY_CHANNELS } from "@tillkit/core";
import { inspectSchema, pgClient } from "@tillkit/postgres";
import pg from "pg";
import { type LedgerEntry, readLedger } from "../read-ledger.js";
import { type OrderSnapshot, readSnapshot } from "../read-snapshot.js";
import { openSession, tryAccess, withdrawAccess, withdrawRestoredAccess } from "./access.js";
import { auditRestore, type RestoreAudit } from "./audit.js";
import { backupBy, type BackupMethod } from "./backup-method.js";
import { type CallersOrder, type Load, payOrder, placeOrder, startLoad } from "./load.js";
import { compareBills, openExceptions, waitForBills, workOff } from "./operator.js";
import { openService, SCHEMA, type Service } from "./service.js";

const MINUTE = 60_000;
/** The moves of the clock after which every refund has ended and every unpaid order is closed. */
const REST = [1, 1, 1, 5, 10, 10, 30, 60, 60, 60].map((minutes) => minutes * MINUTE);
/** The number of orders of each kind that customers pay while no server runs. */
const PAID_DURING_OUTAGE = 6;
/** The number of callers who create their lost orders again before the bills are compared. */
const CREATED_AGAIN = 4;

/** The options of one run. */
export interface RestoreOptions {
  readonly method: BackupMethod;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly seed: number;
  /** The number of orders before the backup and after it. */
  readonly orders: number;
  readonly report: (progress: string) => void;
}

/** The counts of one run, by the names that the program prints. */
export interface RestoreResult {
  readonly counts: Readonly<Record<string, number>>;
  /** Each payment and refund that is unaccounted for, and everything else that is wrong. */
  readonly findings: readonly string[];
}

/** Backs a server up under load, loses it, restores the backup, and looks for all money. */
export async function runRestore(options: RestoreOptions): Promise<RestoreResult> {
  const { method, programs, seed, orders, report } = options;
  const folder = await mkdtemp(join(tmpdir(), "tillkit-restore-"));
  await chmod(folder, 0o755);
  const stateFile = join(folder, "wallets.jsonl");
  const backup = backupBy(method, { programs, folder });
  const running = [await backup.start()];
  const [server] = running;
  if (server === undefined) throw new Error("No server was started.");
  let service: Service | undefined;
  try {
    service = await openService(server.url, stateFile);
    const began = service.sandbox.clock.now();
    const token = await openSession(service);
    const load = startLoad(service, seed);
    await load.more(orders);
    report(`${String(load.orders.length)} orders created, backup starts under load`);
    await backup.take(server);
    const before = load.orders.length;
    await withdrawAccess(service, token);
    await load.more(orders);
    report(`backup taken at order ${String(before)}, server dies at order ${String(load.orders.length)}`);
    await server.kill();
    await load.end();
    await service.stopHosts();
    await payDuringOutage(service, load, before);

    const restored = await backup.restore();
    running.push(restored);
    const problems = await schemaProblems(restored.url);
    const read = () => readSnapshot({ dataDir: join(folder, "data"), databaseUrl: restored.url });
    const lacking = lackingIn(readLedger(stateFile), await read());
    report(`restored, ${describe(lacking)}`);
    service.startHosts(restored.url);
    const withdrawn = await tryAccess(service, token);
    await withdrawRestoredAccess(service, restored.url);
    const after = await tryAccess(service, token);

    const again = await createAgain(service, load.orders, lacking.unknownOrders);
    for (const ms of REST) {
      await service.advance(ms);
      await service.reconcile();
    }
    const healed = await healedPayments(service, lacking.unpaidOrders);
    const afterQueries = auditRestore({
      ledger: readLedger(stateFile),
      snapshot: await read(),
      exceptions: [],
    });
    report(`healed by query ${String(healed.query)}, by notification ${String(healed.notification)}`);

    await waitForBills(service);
    await compareBills(service, began);
    const audit = async () =>
      auditRestore({
        ledger: readLedger(stateFile),
        snapshot: await read(),
        exceptions: service === undefined ? [] : await openExceptions(service),
      });
    const afterBills = await audit();
    report(`bills compared: ${money(afterBills)}`);
    const twicePaid = new Set(again.map(({ bizNo }) => bizNo));
    const work = await workOff(service, load.orders, twicePaid);
    for (const ms of REST) {
      await service.advance(ms);
      await service.reconcile();
    }
    await waitForBills(service);
    await compareBills(service, began);
    const ended = await audit();
    report(`exceptions handled: ${money(ended)}`);
    const stillOpen = await openExceptions(service);
    const balances = balanceProblems(service, await read());
    return {
      counts: {
        "orders before the backup": before,
        "orders after the backup": load.orders.length - before,
        "payments at the wallets": ended.payments.total,
        "refunds at the wallets": ended.refunds.total,
        "payments the backup lacks": lacking.unpaidOrders.length + lacking.unknownOrders.length,
        "  orders restored as unpaid": lacking.unpaidOrders.length,
        "  orders the backup lacks": lacking.unknownOrders.length,
        "refunds the backup lacks": lacking.refunds,
        "healed by query": healed.query,
        "healed by notification": healed.notification,
        "refunds healed by query": lacking.refunds - missingRefunds(afterQueries, lacking),
        "payments found by the bill": afterBills.payments.reported,
        "refunds found by the bill": afterBills.refunds.reported,
        "orders imported": work.imported,
        "refunds repeated": work.repeatedRefunds,
        "paid twice and refunded": work.refundedTwicePaid,
        "exceptions still open": stillOpen.length,
        "payments unaccounted for": unaccounted(afterBills, ended, "payments").length,
        "refunds unaccounted for": unaccounted(afterBills, ended, "refunds").length,
        "cents paid at the wallets": ended.payments.amountAtWallets,
        "cents paid in the database": ended.payments.amountAccounted,
        "cents refunded at the wallets": ended.refunds.amountAtWallets,
        "cents refunded in the database": ended.refunds.amountAccounted,
      },
      findings: [
        ...problems.map((problem) => `the restored schema: ${problem}`),
        ...unaccounted(afterBills, ended, "payments").map((text) => `unaccounted payment ${text}`),
        ...unaccounted(afterBills, ended, "refunds").map((text) => `unaccounted refund ${text}`),
        ...afterBills.contradictions,
        ...ended.contradictions,
        ...stillOpen.map(({ kind, outTradeNo }) => `${kind} ${outTradeNo} is still open`),
        ...balances,
        ...(withdrawn.session && withdrawn.secret ? [] : ["the restore did not bring back old access"]),
        ...(after.session || after.secret ? ["old access works after it was withdrawn again"] : []),
        ...(lacking.unpaidOrders.length > 0 && lacking.unknownOrders.length > 0 && lacking.refunds > 0
          ? []
          : ["the load after the backup was too short: the backup lacks too little"]),
      ],
    };
  } finally {
    await service?.close();
    await Promise.all(running.map((one) => one.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** What happened at the wallets and is not in the restored database. */
interface Lacking {
  readonly unpaidOrders: readonly OrderSnapshot["order"][];
  /** The numbers of the paid orders that the database does not have. */
  readonly unknownOrders: readonly string[];
  readonly refunds: number;
}

function lackingIn(ledger: readonly LedgerEntry[], snapshot: readonly OrderSnapshot[]): Lacking {
  const known = new Map(snapshot.map(({ order }) => [order.id, order]));
  const { refunds } = auditRestore({ ledger, snapshot, exceptions: [] });
  const paid = ledger.filter((entry) => entry.paid).map(({ outTradeNo }) => outTradeNo);
  return {
    unpaidOrders: paid.flatMap((id) => {
      const order = known.get(id);
      return order?.paymentStatus === "PENDING" || order?.paymentStatus === "CLOSE" ? [order] : [];
    }),
    unknownOrders: paid.filter((id) => !known.has(id)),
    refunds: refunds.unaccounted.length,
  };
}

function missingRefunds({ refunds }: RestoreAudit, lacking: Lacking): number {
  return Math.min(refunds.unaccounted.length, lacking.refunds);
}

/** Lets customers pay orders from before and after the backup while no host runs. */
async function payDuringOutage(service: Service, { orders }: Load, before: number): Promise<void> {
  const isUnpaid = (order: CallersOrder) => order.paidAt === undefined;
  const older = orders
    .slice(0, before)
    .filter(isUnpaid)
    .slice(-2 * PAID_DURING_OUTAGE);
  const newer = orders
    .slice(before)
    .filter(isUnpaid)
    .slice(-2 * PAID_DURING_OUTAGE);
  for (const order of [...older, ...newer]) await payOrder(service, order);
}

/** Creates and pays some lost orders again, as a caller does that does not find its order. */
async function createAgain(
  service: Service,
  orders: readonly CallersOrder[],
  lost: readonly string[],
): Promise<readonly CallersOrder[]> {
  const again: CallersOrder[] = [];
  for (const order of orders.filter(({ id }) => lost.includes(id)).filter(({ refunded }) => refunded === 0)) {
    if (again.length === CREATED_AGAIN) break;
    const created = await placeOrder(service, order);
    if (created === undefined) throw new Error(`${order.bizNo} was not created again.`);
    await payOrder(service, created);
    again.push(created);
  }
  return again;
}

async function healedPayments({ ports }: Service, orders: Lacking["unpaidOrders"]) {
  const healed = { query: 0, notification: 0 };
  for (const { appId, bizNo } of orders) {
    const timeline = await orThrow(ports().orders.timeline({ appId, bizNo }));
    const paid = timeline.find(({ to }) => to === "PAID");
    if (paid?.details?.includes("notification") === true) healed.notification += 1;
    else if (paid !== undefined) healed.query += 1;
  }
  return healed;
}

async function schemaProblems(url: string): Promise<readonly string[]> {
  const sql = pgClient(new pg.Pool({ connectionString: url, max: 1 }));
  const findings = await orThrow(inspectSchema(sql, SCHEMA));
  await sql.close();
  return findings.map((finding) => JSON.stringify(finding));
}

/** Compares the balance of each wallet with the stored orders, to the cent. */
function balanceProblems({ sandbox }: Service, snapshot: readonly OrderSnapshot[]): readonly string[] {
  return PAY_CHANNELS.flatMap((payChannel) => {
    const there = sandbox.simulatorControls.balance(payChannel);
    const here = snapshot
      .map(({ order }) => order)
      .filter((order) => order.payChannel === payChannel)
      .filter(({ paymentStatus }) => paymentStatus === "PAID" || paymentStatus === "REFUND")
      .reduce((sum, { amount, refundedAmount }) => sum + amount - refundedAmount, 0);
    return there === here
      ? []
      : [`${payChannel}: ${String(there)} cents at the wallet, ${String(here)} here`];
  });
}

function unaccounted(first: RestoreAudit, last: RestoreAudit, what: "payments" | "refunds") {
  return [...new Set([...first[what].unaccounted, ...last[what].unaccounted])];
}

function describe({ unpaidOrders, unknownOrders, refunds }: Lacking): string {
  return `the backup lacks ${String(unpaidOrders.length)} payments of known orders, ${String(unknownOrders.length)} paid orders and ${String(refunds)} refunds`;
}

function money({ payments, refunds }: RestoreAudit): string {
  const missing = payments.unaccounted.length + refunds.unaccounted.length;
  return `${String(payments.recorded)} payments and ${String(refunds.recorded)} refunds recorded, ${String(payments.reported + refunds.reported)} reported, ${String(missing)} unaccounted for`;
}
