import { createDatabase } from "@tillkit/local-postgres";
import { afterEach, describe, expect, inject, it } from "vitest";
import { type Caller, callerOf } from "./testing/caller.js";
import { at, listAt, textAt } from "./testing/json.js";
import { factsOf, freshFolder, type Program, startProgram } from "./testing/program.js";

const DAY = 86_400_000;
const ROUNDS = 2;
/** Acknowledged steps of a round before the process is killed, with others under way. */
const STEPS = 40;
const QUOTA_PHONE = "13900000000";

let program: Program | undefined;
afterEach(() => program?.clean());

/** What the callers know: what they asked for, and what was acknowledged. */
interface Knowledge {
  /** Every order asked for: the customer and channel of each `bizNo`. */
  readonly asked: Map<string, { readonly customer: string; readonly payChannel: string }>;
  /** The wallet's number of each order whose creation was acknowledged. */
  readonly created: Map<string, string>;
  readonly paid: Set<string>;
  readonly tokens: string[];
  accepted: number;
}

const termsOf = (known: Knowledge, bizNo: string, serviceTypeNo: string) => {
  const { customer, payChannel } = known.asked.get(bizNo) ?? { customer: "", payChannel: "" };
  return { bizNo, payChannel, customerIdentity: customer, serviceTypeNo };
};

const statusOf = async (caller: Caller, known: Knowledge, bizNo: string) =>
  at(await caller.detail(bizNo, known.asked.get(bizNo)?.customer), "data", "paymentStatus");

const idOf = async (caller: Caller, known: Knowledge, bizNo: string) =>
  textAt(await caller.detail(bizNo, known.asked.get(bizNo)?.customer), "data", "id");

/** One customer after the other buys, pays and logs in, until a call is not answered. */
async function buy(caller: Caller, known: Knowledge, lane: string, serviceTypeNo: string, step: () => void) {
  for (let nth = 0; ; nth += 1) {
    const bizNo = `${lane}-${nth}`;
    const payChannel = nth % 2 === 0 ? "WALLET_A" : "WALLET_B";
    known.asked.set(bizNo, { customer: `customer-${lane}`, payChannel });
    expect(await caller.order(termsOf(known, bizNo, serviceTypeNo))).toMatchObject({ code: 0 });
    step();
    const outTradeNo = await idOf(caller, known, bizNo);
    known.created.set(bizNo, outTradeNo);
    expect(await caller.control("pay", { outTradeNo })).toMatchObject({ notified: true });
    known.paid.add(bizNo);
    step();
  }
}

async function logIn(caller: Caller, known: Knowledge, prefix: string, step: () => void) {
  for (let nth = 10; ; nth += 1) {
    const mobileNo = `${prefix}${nth}`;
    expect(await caller.get(`/sms.json?mobileNo=${mobileNo}`)).toMatchObject({ code: 0 });
    const authCode = textAt(await caller.control(`sms?mobileNo=${mobileNo}`), 0, "authCode");
    known.tokens.push(textAt(await caller.post("/auth.json", { mobileNo, authCode }), "data", "token"));
    step();
    if (at(await caller.get(`/sms.json?mobileNo=${QUOTA_PHONE}`), "code") === 0) known.accepted += 1;
  }
}

/** Everything that was acknowledged is there. */
async function check(caller: Caller, known: Knowledge) {
  for (const [bizNo, outTradeNo] of known.created) expect(await idOf(caller, known, bizNo)).toBe(outTradeNo);
  for (const bizNo of known.paid) expect(await statusOf(caller, known, bizNo)).toBe("PAID");
  for (const token of known.tokens) {
    expect(await caller.get(`/checkAuth.json?token=${token}`)).toMatchObject({ code: 0, data: true });
  }
  expect(known.accepted).toBeLessThanOrEqual(5);
  const sent = listAt(await caller.control(`sms?mobileNo=${QUOTA_PHONE}`)).length;
  expect(sent).toBeLessThanOrEqual(5);
  expect(sent).toBeGreaterThanOrEqual(known.accepted);
}

/** Everything that was asked for succeeds when it is asked for again, and nothing has happened twice. */
async function retry(caller: Caller, known: Knowledge, serviceTypeNo: string, began: number, now: number) {
  for (const bizNo of known.asked.keys()) {
    if (known.paid.has(bizNo)) continue;
    const code = at(await caller.order(termsOf(known, bizNo, serviceTypeNo)), "code");
    // Paid before the kill, with the answer on its way.
    expect(known.created.has(bizNo) ? [0, 50003] : [0]).toContain(code);
    const outTradeNo = await idOf(caller, known, bizNo);
    expect(await caller.control("pay", { outTradeNo })).toMatchObject({ state: "PAID", notified: true });
    expect(await statusOf(caller, known, bizNo)).toBe("PAID");
    known.created.set(bizNo, outTradeNo);
    known.paid.add(bizNo);
  }
  expect(new Set(known.created.values()).size).toBe(known.asked.size);
  for (const outTradeNo of known.created.values()) {
    expect(await caller.control(`orders/${outTradeNo}`)).toMatchObject({ state: "PAID", prepayCount: 1 });
  }
  for (const customer of new Set([...known.asked.values()].map((order) => order.customer))) {
    const bought = [...known.asked.values()].filter((order) => order.customer === customer).length;
    const history = await caller.get(`/history.json?customerIdentity=${customer}`);
    expect(at(history, "data", "totalCount")).toBe(bought);
    const services = listAt(
      await caller.get(`/customerServiceMgmt/${customer}.json`),
      "data",
      "customerServiceList",
    );
    expect(services).toHaveLength(1);
    // Thirty days an order, counted from the first payment.
    const start = Number(at(services, 0, "expireTime")) - bought * 30 * DAY;
    expect(start).toBeGreaterThanOrEqual(began);
    expect(start).toBeLessThanOrEqual(now);
  }
}

async function crash(environment: Readonly<Record<string, string>>): Promise<void> {
  const began = Date.now();
  const dataDir = freshFolder();
  const known: Knowledge = { asked: new Map(), created: new Map(), paid: new Set(), tokens: [], accepted: 0 };
  for (let round = 0; ; round += 1) {
    program = startProgram({ PORT: "0", ...environment }, dataDir);
    const running = program;
    const facts = await factsOf(running);
    const caller = callerOf(facts);
    await check(caller, known);
    // Claims of the dead on a prepayment run out.
    const now = Number(at(await caller.control("clock", { advanceMs: 10_000 }), "now"));
    await retry(caller, known, facts.serviceTypeNo, began, now);
    if (round === ROUNDS) return;
    let steps = 0;
    const step = () => {
      steps += 1;
      if (steps === STEPS) running.child.kill("SIGKILL");
    };
    const lanes = ["a", "b", "c", "d"].map((lane) =>
      buy(caller, known, `${round}${lane}`, facts.serviceTypeNo, step),
    );
    const outcomes = await Promise.allSettled([...lanes, logIn(caller, known, `1380000${round}0`, step)]);
    await running.exited;
    // Each lane ended with the process, and for no other reason.
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { name: "TypeError" } });
  }
}

describe("killed in the middle of creations, payments and logins, and started again", () => {
  it("has lost nothing it acknowledged and done nothing twice: in a folder", () => crash({}), 300_000);

  it("has lost nothing it acknowledged and done nothing twice: on a server", async () => {
    await crash({ DATABASE_URL: await createDatabase(inject("databaseUrl")) });
  }, 300_000);
});
