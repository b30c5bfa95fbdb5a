import { memoryPorts } from "@tillkit/memory";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { afterEach, beforeEach, expect, it } from "vitest";
import { observeRecord } from "./observe-record.js";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";

const MINUTE = 60_000;

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

/** Creates ports that count how often the record is read. */
function countedPorts() {
  const ports = memoryPorts();
  const readings = { count: 0 };
  const alarms: typeof ports.orderSearch.alarms = (...query) => {
    readings.count += 1;
    return ports.orderSearch.alarms(...query);
  };
  return { ports: { ...ports, orderSearch: { ...ports.orderSearch, alarms } }, readings };
}

/** Returns the lines of the values that are not 0. */
async function nonZero(): Promise<readonly string[]> {
  return (await telemetry.metrics()).filter((line) => !line.endsWith(" 0"));
}

it("reports zeros from the start, so that the first problem is an increase", async () => {
  observeRecord(countedPorts().ports);
  const lines = await telemetry.metrics();
  expect(lines.filter((line) => !/^tillkit\.(alarms|bill\.exceptions)\.open/.test(line))).toEqual([
    "tillkit.approvals.waiting{} 0",
    "tillkit.events.parked{} 0",
    'tillkit.queue.due{queue="events"} 0',
    'tillkit.queue.due{queue="orders"} 0',
    'tillkit.queue.due{queue="refunds"} 0',
    'tillkit.queue.oldest_wait{queue="events"} 0',
    'tillkit.queue.oldest_wait{queue="orders"} 0',
    'tillkit.queue.oldest_wait{queue="refunds"} 0',
    "tillkit.record.age{} 0",
    "tillkit.record.readable{} 1",
    'tillkit.refunds.oldest{status="ABNORMAL"} 0',
    'tillkit.refunds.oldest{status="REQUESTED"} 0',
    'tillkit.refunds.oldest{status="SENT"} 0',
    'tillkit.refunds.oldest{status="WAITING_FOR_FUNDS"} 0',
    'tillkit.refunds.open{status="ABNORMAL"} 0',
    'tillkit.refunds.open{status="REQUESTED"} 0',
    'tillkit.refunds.open{status="SENT"} 0',
    'tillkit.refunds.open{status="WAITING_FOR_FUNDS"} 0',
  ]);
  expect(lines).toContain('tillkit.alarms.open{event="LATE_PAYMENT"} 0');
  expect(lines).toContain('tillkit.alarms.open{event="OTHER"} 0');
  expect(lines).toContain('tillkit.bill.exceptions.open{kind="BALANCE"} 0');
});

it("reports the problems in the record, and 0 after a person has dealt with them", async () => {
  const base = memoryPorts();
  const now = base.clock.now();
  const order = { appId: "a", bizNo: "b", seq: 1, at: now };
  let alarms = [
    { ...order, type: "LATE_PAYMENT" },
    { ...order, type: "LATE_PAYMENT" },
    { ...order, type: "OF_A_LATER_VERSION" },
  ];
  const changes = {
    orderSearch: { ...base.orderSearch, alarms: () => okAsync(alarms) },
    refunds: {
      ...base.refunds,
      openByStatus: () =>
        okAsync([{ status: "WAITING_FOR_FUNDS", count: 2, oldestAt: now - 65_000 }] as const),
    },
    refundApprovals: { ...base.refundApprovals, countWaiting: () => okAsync(4) },
    billExceptions: {
      ...base.billExceptions,
      openByKind: () => okAsync([{ kind: "BALANCE", count: 3, oldestAt: now }] as const),
    },
    orders: { ...base.orders, dueSince: () => okAsync({ due: 5, oldestDueAt: now - 7_000 }) },
  };
  observeRecord({ ...base, ...changes });
  expect(await nonZero()).toEqual([
    'tillkit.alarms.open{event="LATE_PAYMENT"} 2',
    'tillkit.alarms.open{event="OTHER"} 1',
    "tillkit.approvals.waiting{} 4",
    'tillkit.bill.exceptions.open{kind="BALANCE"} 3',
    'tillkit.queue.due{queue="orders"} 5',
    'tillkit.queue.oldest_wait{queue="orders"} 7',
    "tillkit.record.readable{} 1",
    'tillkit.refunds.oldest{status="WAITING_FOR_FUNDS"} 65',
    'tillkit.refunds.open{status="WAITING_FOR_FUNDS"} 2',
  ]);
  alarms = [];
  base.clock.advance(15_000);
  expect(await telemetry.metrics()).toContain('tillkit.alarms.open{event="LATE_PAYMENT"} 0');
});

it("one process reads the record for all processes, every 15 seconds", async () => {
  const { ports, readings } = countedPorts();
  observeRecord(ports);
  observeRecord(ports);
  await telemetry.metrics();
  expect(readings.count).toBe(1);
  ports.clock.advance(14_999);
  expect(await telemetry.metrics()).toContain("tillkit.record.age{} 14.999");
  expect(readings.count).toBe(1);
  ports.clock.advance(1);
  await telemetry.metrics();
  expect(readings.count).toBe(2);
});

it("uses a stored reading until it is five minutes old, even if the next reading process hangs", async () => {
  const { ports } = countedPorts();
  observeRecord(ports);
  await telemetry.metrics();
  ports.clock.advance(15_000);
  const now = ports.clock.now();
  await ports.figures.claim({ id: "hangs", now, until: Infinity, olderThan: now });
  ports.clock.advance(5 * MINUTE - 15_001);
  expect(await telemetry.metrics()).toContain("tillkit.record.readable{} 1");
  ports.clock.advance(1);
  expect(await telemetry.metrics()).toContain("tillkit.record.readable{} 0");
});

it("uses no stored reading of another version that it cannot read", async () => {
  const { ports } = countedPorts();
  const now = ports.clock.now();
  await ports.figures.claim({ id: "later", now, until: Infinity, olderThan: now });
  await ports.figures.save("later", { text: '{"alarms":"many"}', at: now });
  observeRecord(ports);
  expect(await telemetry.metrics()).toContain("tillkit.record.readable{} 0");
});

it("reports no number if the storage fails or is late", async () => {
  const base = memoryPorts();
  let claim: typeof base.figures.claim = () => errAsync({ name: "storage.unavailable" });
  observeRecord({ ...base, figures: { ...base.figures, claim: (one) => claim(one) } }, { timeoutMs: 20 });
  const unread = await telemetry.metrics();
  expect(unread).toContain("tillkit.record.readable{} 0");
  expect(unread.filter((line) => !line.endsWith(" NaN"))).toEqual(["tillkit.record.readable{} 0"]);
  claim = () => new ResultAsync(new Promise<never>(() => undefined));
  expect(await telemetry.metrics()).toEqual(unread);
});

it("reports when the first credential of each kind expires, and NaN for a removed credential", async () => {
  const base = memoryPorts();
  const account = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "1900000001" } as const;
  const tool = { ...account, id: "p", appId: "a", signStatus: "OK", gmtCreate: 0 } as const;
  let tools: readonly (typeof tool)[] = [tool];
  const payTools = { ...base.payTools, listAll: () => okAsync(tools), find: () => okAsync(tool) };
  const credentialExpiries = () => [
    { name: "merchantCertificate", expiresAt: 30_000 },
    { name: "merchantCertificate", expiresAt: 20_000 },
  ];
  const wallets = { ...base.wallets, WALLET_A: { ...base.wallets.WALLET_A, credentialExpiries } };
  observeRecord(Object.assign({}, base, { payTools, wallets }));
  const expiry = (value: string) =>
    `tillkit.credential.expiry.timestamp{channel="WALLET_A",credential="merchantCertificate"} ${value}`;
  expect(await telemetry.metrics()).toContain(expiry("20"));
  tools = [];
  base.clock.advance(10 * 60_000);
  expect(await telemetry.metrics()).toContain(expiry("NaN"));
});
