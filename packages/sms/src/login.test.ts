import { caseCount, listen, manyCases } from "@tillkit/contract-tests";
import { createApp, orThrow, policyWith, type ServiceEvent, type SmsSender } from "@tillkit/core";
import { paymentsSurface } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { failover } from "./index.js";
import { openAliyunCarrier } from "./testing/aliyun-carrier.js";
import type { TestCarrier } from "./testing/carrier.js";
import { DOCUMENTED } from "./testing/documented-codes.js";
import { openTencentCarrier } from "./testing/tencent-carrier.js";
import { openTwilioCarrier } from "./testing/twilio-carrier.js";

const MINUTE = 60_000;
const envelope = z.object({ code: z.int() });
const wordsOf = (text: string) => text.trim().split(/\s+/);

/**
 * What a carrier does with a message.
 *
 * - `sent`: it accepts the message, and the message arrives.
 * - `lost`: the message arrives, but the answer does not.
 * - `late`: the message arrives, but the answer comes after the deadline.
 * - `failed`: the message does not arrive, and the answer does not say so.
 * - `refused`: the carrier documents that it sent nothing.
 */
type Fate = "sent" | "lost" | "late" | "failed" | "refused";

/** A host with its HTTP endpoints, whose messages go to a carrier. */
async function openHost(
  carrier: TestCarrier,
  refusal: string,
  changes: { readonly smsPerDay?: number } = {},
) {
  const [patient, hasty] = await Promise.all([carrier.sender(), carrier.sender({ deadline: 300 })]);
  let sender: SmsSender = patient;
  const events: ServiceEvent[] = [];
  const ports = memoryPorts({
    policy: policyWith({ smsPerDay: 100, codeTriesPerDay: 1_000, ...changes }),
    observer: { onEvent: (event) => void events.push(event) },
  });
  const host = { ...ports, smsSender: { send: (message) => sender.send(message) } satisfies SmsSender };
  const { app, appSecret } = await orThrow(createApp(host, { name: "Notes", accountBased: true }));
  const server = await listen(nodeListener({ "/pay": paymentsSurface(host) }));
  const call = async (method: "GET" | "POST", path: string, query: Readonly<Record<string, string>>) => {
    const response = await fetch(`${server.baseUrl}/pay${path}?${new URLSearchParams(query).toString()}`, {
      method,
      headers: { APP_ID: app.appId, APP_SECRET: appSecret },
    });
    return envelope.parse(await response.json()).code;
  };
  return {
    events,
    clock: ports.clock,
    /** Sets what the carrier does with the next messages. */
    decide: (fate: Fate) => {
      sender = fate === "late" ? hasty : patient;
      if (fate === "refused") carrier.refuse(refusal);
      else if (fate === "failed") carrier.answer({ status: 503, body: "{}" });
      else carrier.answer(({ sent: undefined, lost: "reset", late: "hang" } as const)[fate]);
    },
    ask: (mobileNo: string) => call("GET", "/sms.json", { mobileNo }),
    enter: (mobileNo: string, authCode: string) => call("POST", "/auth.json", { mobileNo, authCode }),
    close: () => server.close(),
  };
}

/** The codes that arrived at a number, oldest first. */
const arrivedAt = ({ messages }: TestCarrier, mobileNo: string) =>
  messages.filter((message) => message.mobileNo === `+86${mobileNo}`).map(({ authCode }) => authCode);

/** By default, selects one code in eight and the codes that carriers often return. */
const isChosen = (code: string, nth: number) =>
  manyCases() ||
  nth % 8 === 0 ||
  /NUMBER_ILLEGAL|AMOUNT_NOT|BUSINESS_LIMIT|ThirtySecond|^2(?:1211|1610|0429)$/.test(code);

const numberAt = (index: number) => `13800${String(index).padStart(6, "0")}`;
const wrong = (code: string) => `${code.startsWith("0") ? "1" : "0"}${code.slice(1)}`;

describe.each([
  { name: "aliyun", open: openAliyunCarrier, refusal: "isv.BUSINESS_LIMIT_CONTROL" },
  { name: "tencent", open: openTencentCarrier, refusal: "LimitExceeded.PhoneNumberThirtySecondLimit" },
  { name: "twilio", open: openTwilioCarrier, refusal: "20429" },
] as const)("a login through $name", ({ name, open, refusal }) => {
  let carrier: TestCarrier;
  let host: Awaited<ReturnType<typeof openHost>>;
  beforeEach(async () => {
    carrier = await open();
    host = await openHost(carrier, refusal);
  });
  afterEach(async () => {
    await host.close();
    await carrier.close();
  });

  const fates = ["sent", "lost", "failed", "refused"] as const;
  const all = fates.flatMap((first) =>
    fates.flatMap((second) => fates.map((third) => [first, second, third])),
  );
  // By default the first message is `sent`, because it matters least, and the last two vary.
  const orders = manyCases() ? all : all.filter(([first]) => first === "sent");

  it("accepts the code that arrived, in each order of arrived, lost and refused messages", async () => {
    for (const [nth, order] of orders.entries()) {
      const mobileNo = numberAt(nth);
      let afterArrival = 0;
      for (const fate of order) {
        host.decide(fate);
        expect(await host.ask(mobileNo), order.join()).toBe(fate === "refused" ? 10023 : 0);
        expect(await host.ask(mobileNo), "a second tap").toBe(10022);
        if (fate === "sent" || fate === "lost") afterArrival = 0;
        else if (fate === "failed") afterArrival += 1;
        host.clock.advance(MINUTE);
      }
      const code = arrivedAt(carrier, mobileNo).at(-1);
      if (code === undefined) continue;
      expect(await host.enter(mobileNo, wrong(code)), order.join()).toBe(10020);
      // Two codes are valid at most. Two messages that may have arrived displace the earlier code.
      expect(await host.enter(mobileNo, code), order.join()).toBe(afterArrival < 2 ? 0 : 10020);
      expect(await host.enter(mobileNo, code), "a second use").toBe(10020);
    }
    expect(carrier.requests()).toBe(3 * orders.length);
  });

  const documented = DOCUMENTED[name];
  it.each([
    ["documents that nothing was sent", documented.rejected, 10023],
    ["leaves the outcome unknown", documented.unknown, 0],
  ] as const)("accepts the code that arrived before the carrier %s", async (_, codes, reply) => {
    for (const [nth, code] of wordsOf(codes).filter(isChosen).entries()) {
      const mobileNo = numberAt(nth);
      host.decide("sent");
      expect(await host.ask(mobileNo)).toBe(0);
      host.clock.advance(MINUTE);
      carrier.refuse(code);
      const before = carrier.requests();
      const taps = await Promise.all(Array.from({ length: 5 }, () => host.ask(mobileNo)));
      expect(taps.sort(), code).toEqual([...Array.from({ length: 4 }, () => 10022), reply].sort());
      expect(carrier.requests() - before, code).toBe(1);
      expect(await host.enter(mobileNo, arrivedAt(carrier, mobileNo).at(-1) ?? ""), code).toBe(0);
    }
  });

  it("calls a refusing carrier once a minute for a number, and counts no refused message", async () => {
    const few = await openHost(carrier, refusal, { smsPerDay: 2 });
    few.decide("refused");
    for (let second = 0; second < 600; second += 5) {
      await few.ask(numberAt(0));
      few.clock.advance(5_000);
    }
    expect(carrier.requests()).toBe(10);
    few.decide("sent");
    expect(await few.ask(numberAt(0))).toBe(0);
    few.clock.advance(MINUTE);
    expect(await few.ask(numberAt(0))).toBe(0);
    expect(await few.enter(numberAt(0), arrivedAt(carrier, numberAt(0)).at(-1) ?? "")).toBe(0);
    await few.close();
  });

  it("accepts a code whose answer came after the deadline", async () => {
    host.decide("late");
    expect(await host.ask(numberAt(0))).toBe(0);
    const [code = ""] = arrivedAt(carrier, numberAt(0));
    host.clock.advance(MINUTE);
    host.decide("refused");
    expect(await host.ask(numberAt(0))).toBe(10023);
    expect(await host.enter(numberAt(0), code)).toBe(0);
  });

  it("follows every rule for random sequences of actions", async () => {
    const random = randomFrom(4_711);
    const choose = <T>(values: readonly T[]): T => {
      const value = values[Math.floor(random() * values.length)];
      if (value === undefined) throw new Error("There is nothing to choose.");
      return value;
    };
    for (let phone = 0; phone < caseCount({ few: 8, many: 80 }); phone += 1) {
      const mobileNo = numberAt(phone);
      /** The codes that are valid, oldest first. A code that never arrived has no text. */
      let live: { readonly code: string | undefined; readonly until: number; tries: number }[] = [];
      let canAskAt = 0;
      for (let tap = 0; tap < 25; tap += 1) {
        const now = host.clock.now();
        live = live.filter(({ until }) => now < until);
        const what = choose(["ask", "ask", "enter", "enter-old", "wrong", "wait", "wait"] as const);
        const arrived = arrivedAt(carrier, mobileNo);
        if (what === "wait") host.clock.advance(Math.floor(random() * 100_000));
        else if (what === "ask") {
          const fate = choose(fates);
          host.decide(fate);
          const reply = await host.ask(mobileNo);
          if (now < canAskAt) {
            expect(reply).toBe(10022);
            continue;
          }
          expect(reply).toBe(fate === "refused" ? 10023 : 0);
          canAskAt = now + MINUTE;
          if (fate === "refused") continue;
          const isArrived = fate === "sent" || fate === "lost";
          const code = isArrived ? arrivedAt(carrier, mobileNo).at(-1) : undefined;
          const fresh = { code, until: now + 5 * MINUTE, tries: 0 };
          live = fate === "sent" ? [fresh] : [...live.slice(-1), fresh];
        } else {
          const [newest = "000000", older = newest] = arrived.toReversed();
          const entered = what === "enter" ? newest : what === "enter-old" ? older : wrong(newest);
          const usable = live.filter(({ tries }) => tries < 5);
          const isRight = usable.some(({ code }) => code === entered);
          const expected = isRight ? 0 : live.length > 0 && usable.length === 0 ? 10021 : 10020;
          expect(await host.enter(mobileNo, entered)).toBe(expected);
          if (isRight) live = [];
          else for (const one of usable) one.tries += 1;
        }
      }
    }
  });

  it("emits no event that contains a code or a number", async () => {
    for (const fate of ["sent", "lost", "failed", "refused", "late"] as const) {
      host.decide(fate);
      await host.ask(numberAt(0));
      host.clock.advance(MINUTE);
    }
    const text = JSON.stringify(host.events);
    expect(host.events.filter(({ type }) => type === "sms.called")).toHaveLength(5);
    for (const secret of [numberAt(0), ...arrivedAt(carrier, numberAt(0))])
      expect(text).not.toContain(secret);
  });
});

it("the host uses the second carrier if the first one refuses a message, and not if the outcome is unknown", async () => {
  const [first, second] = await Promise.all([openAliyunCarrier(), openTwilioCarrier()]);
  const host = await openHost(
    {
      ...first,
      sender: async (changes) => failover([await first.sender(changes), await second.sender(changes)]),
    },
    "isv.AMOUNT_NOT_ENOUGH",
  );
  host.decide("refused");
  expect(await host.ask(numberAt(0))).toBe(0);
  expect([first.requests(), second.requests()]).toEqual([1, 1]);
  expect(await host.enter(numberAt(0), second.messages[0]?.authCode ?? "")).toBe(0);
  host.clock.advance(MINUTE);
  host.decide("lost");
  expect(await host.ask(numberAt(0))).toBe(0);
  expect([first.requests(), second.requests()]).toEqual([2, 1]);
  expect(await host.enter(numberAt(0), first.messages[0]?.authCode ?? "")).toBe(0);
  await host.close();
  await Promise.all([first.close(), second.close()]);
});

/** Returns numbers from 0 to 1 that look random and are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
