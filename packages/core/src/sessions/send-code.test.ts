import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { ServiceEvent } from "../events/observer.js";
import type { PayTool } from "../pay-tools/pay-tool.js";
import { defaultPolicy, type Policy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { account, stub } from "../testing/stubs.js";
import type { QuotaGrant, QuotaScope } from "../shared/quota-store.js";
import { sendCode, sendCodeInput, type SendCodePorts } from "./send-code.js";
import type { CodeStore } from "./code-store.js";
import type { SmsMessage, SmsSender } from "./sms-sender.js";
import { orThrow } from "../errors/or-throw.js";

const NOW = Date.UTC(2026, 0, 15, 4);
const MOBILE = "+8613800138000";
const QUOTA = "sms v2:phone\napp_1\n+8613800138000";
const TAKE = `take ${QUOTA} 2026-01-15 of 5 every 7 ms at ${NOW}`;

/** The shared limits, in their order. */
const SHARED = [
  "sms-app app_1 2026-01-15/12 of 1000",
  "sms-app app_1 2026-01-15/day of 10000",
  "sms-host host 2026-01-15/12 of 5000",
  "sms-host host 2026-01-15/day of 50000",
];

/** Creates ports with this carrier, and records the steps, the codes and the messages. */
function openFixture(
  changes: {
    readonly send?: SmsSender["send"] | "none";
    /** The answer to the request for a unit of the number. */
    readonly grant?: Partial<QuotaGrant>;
    /** The shared limit that is used up. */
    readonly full?: QuotaScope;
    readonly added?: "alone" | "beside" | "locked";
    readonly admitSms?: SendCodePorts["admitSms"];
    readonly policy?: Partial<Policy>;
    readonly appEnv?: PayTool["appEnv"];
  } = {},
) {
  const taken: string[] = [];
  const shared: string[] = [];
  const codes: Parameters<CodeStore["drop"]>[0][] = [];
  const messages: SmsMessage[] = [];
  const events: ServiceEvent[] = [];
  let now = NOW;
  const send: SmsSender["send"] = (message) => {
    messages.push(message);
    now += 40;
    return typeof changes.send === "function" ? changes.send(message) : okAsync(undefined);
  };
  const ports: SendCodePorts = {
    quotas: stub({
      take: ({ scope, subject }, { day, limit, now, spacing }) => {
        if (scope !== "sms") {
          shared.push(`take ${scope} ${subject} ${day} of ${limit}`);
          return okAsync({ granted: scope !== changes.full, used: changes.grant?.used ?? 2 });
        }
        taken.push(`take ${scope} ${subject} ${day} of ${limit} every ${spacing} ms at ${now}`);
        return okAsync({ granted: true, used: 2, ...changes.grant });
      },
      giveBack: ({ scope, subject }, day) => {
        (scope === "sms" ? taken : shared).push(`give back ${scope} ${subject} ${day}`);
        return okAsync(undefined);
      },
    }),
    codes: stub({
      add: (code) => {
        taken.push("add");
        codes.push(code);
        return okAsync(changes.added ?? "alone");
      },
      dropEarlier: (code) => {
        taken.push("drop earlier");
        codes.push(code);
        return okAsync(undefined);
      },
      drop: (code) => {
        taken.push("drop");
        codes.push(code);
        return okAsync(undefined);
      },
    }),
    payTools: stub({ list: () => okAsync([{ ...account, appEnv: changes.appEnv ?? "DEV" }]) }),
    clock: { now: () => now, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count).fill(7) },
    digest: { sha256: (text) => `sha(${text})`, keyed: (text) => [`v2:${text}`, `v1:${text}`] },
    policy: { ...defaultPolicy, smsCooldown: 7, codeTtl: 60_000, ...changes.policy },
    observer: { onEvent: (event) => void events.push(event) },
    ...(changes.send === "none" ? {} : { smsSender: { send } }),
    ...(changes.admitSms === undefined ? {} : { admitSms: changes.admitSms }),
  };
  const ask = (mobileNo = "138 0013 8000") =>
    parseInput(sendCodeInput(ports.policy), { mobileNo }).asyncAndThen((input) =>
      sendCode(ports, "app_1", input),
    );
  return { ask, taken, shared, codes, messages, events };
}

describe("sendCode", () => {
  it("counts the request, stores the code's digest, and sends the code", async () => {
    const { ask, taken, codes, messages } = openFixture();
    const sent = await orThrow(ask());
    expect(sent).toEqual({ remaining: 3, resetAt: "2026-01-16T00:00:00+08:00" });
    expect(taken).toEqual([TAKE, "add"]);
    expect(messages).toEqual([
      { appId: "app_1", purpose: "login", mobileNo: MOBILE, authCode: "777777", ttl: 60_000 },
    ]);
    expect(codes).toEqual([
      {
        appId: "app_1",
        phoneHash: "v2:phone\napp_1\n+8613800138000",
        codeHash: "v2:code\napp_1\n+8613800138000\n777777",
        expiresAt: NOW + 60_000,
      },
    ]);
  });

  it("sends nothing after the day's requests are used up, and keeps the existing code", async () => {
    const { ask, taken, messages } = openFixture({ grant: { granted: false } });
    const name = "sms.quota-exceeded";
    expect((await ask())._unsafeUnwrapErr()).toEqual({ name, reason: "day", retryAfter: 12 * 3_600 });
    expect([taken, messages]).toEqual([[TAKE], []]);
    const soon = openFixture({ grant: { granted: false, retryAt: NOW + 41_500 } });
    expect((await soon.ask())._unsafeUnwrapErr()).toEqual({ name, reason: "cooldown", retryAfter: 42 });
  });

  it("removes the code and gives the units back if the carrier refuses, and keeps the earlier code", async () => {
    const { ask, taken, shared, codes } = openFixture({
      added: "beside",
      send: () => errAsync({ name: "sms.rejected", detail: "full" }),
    });
    expect((await ask())._unsafeUnwrapErr()).toEqual({ name: "sms.not-sent" });
    expect(taken).toEqual([TAKE, "add", "drop", `give back ${QUOTA} 2026-01-15`]);
    expect(codes[1]).toEqual(codes[0]);
    expect(shared).toEqual([
      ...SHARED.map((limit) => `take ${limit}`),
      ...SHARED.map((limit) => `give back ${limit.replace(/ of .*/, "")}`),
    ]);
  });

  it("removes the earlier code once the carrier has accepted the new one", async () => {
    const { ask, taken } = openFixture({ added: "beside" });
    expect((await ask()).isOk()).toBe(true);
    expect(taken).toEqual([TAKE, "add", "drop earlier"]);
  });

  it("sends nothing to a number that is locked for the day, and gives the units back", async () => {
    const { ask, taken, shared, messages } = openFixture({ added: "locked" });
    expect((await ask())._unsafeUnwrapErr()).toEqual({ name: "mobile-no.locked", retryAfter: 12 * 3_600 });
    expect(taken).toEqual([TAKE, "add", `give back ${QUOTA} 2026-01-15`]);
    expect(shared).toHaveLength(2 * SHARED.length);
    expect(messages).toEqual([]);
  });

  it.each([
    ["sms-app", []],
    ["sms-host", SHARED.slice(0, 2)],
  ] as const)("sends nothing if the limit of %s is reached", async (full, granted) => {
    const { ask, taken, shared, messages } = openFixture({ full });
    const failure = (await ask())._unsafeUnwrapErr();
    expect(failure).toEqual({ name: "sms.quota-exceeded", reason: "total", retryAfter: 12 * 3_600 });
    expect(taken).toEqual([TAKE, `give back ${QUOTA} 2026-01-15`]);
    // An app without units left takes none of the host.
    expect(shared).toHaveLength(2 + 2 * granted.length);
    expect(shared.filter((step) => step.startsWith("give back"))).toEqual(
      granted.map((limit) => `give back ${limit.replace(/ of .*/, "")}`),
    );
    expect(messages).toEqual([]);
  });

  it.each([
    [250, 5_000, 50_000, 100],
    [251, 4_000, 50_000, 100],
    [2_501, 4_000, 40_000, 80],
  ])(
    "lets only apps with few messages use the reserve: an app that has sent %i",
    async (used, hour, day, country) => {
      const { ask, shared } = openFixture({ grant: { used }, policy: { smsCountries: { CN: 100 } } });
      expect((await ask()).isOk()).toBe(true);
      expect(shared.slice(2)).toEqual([
        "take sms-app-country app_1/CN 2026-01-15/day/apps of 80",
        `take sms-host host 2026-01-15/12 of ${hour}`,
        `take sms-host host 2026-01-15/day of ${day}`,
        `take sms-country CN 2026-01-15/day of ${used > 5 ? 80 : country}`,
      ]);
    },
  );

  it.each<readonly [string, NonNullable<SendCodePorts["admitSms"]>]>([
    ["refuses", () => false],
    ["refuses with a promise", async () => false],
    ["throws", () => Promise.reject(new Error("the captcha is down"))],
  ])("sends nothing and delays no later request if the host %s", async (_what, admitSms) => {
    const { ask, taken, shared, messages } = openFixture({ admitSms });
    expect((await ask())._unsafeUnwrapErr()).toEqual({ name: "sms.quota-exceeded", reason: "host" });
    expect([...taken, ...shared, ...messages]).toEqual([]);
  });

  it("passes the app, the number and the country to the host", async () => {
    const requests: unknown[] = [];
    const { ask } = openFixture({ admitSms: (request) => requests.push(request) > 0 });
    expect((await ask()).isOk()).toBe(true);
    expect(requests).toEqual([{ appId: "app_1", mobileNo: MOBILE, country: "CN" }]);
  });

  it.each([
    ["+19005551234", "premium"],
    ["+18005551234", "toll-free"],
    ["+861062552000", "fixed"],
    ["+881612345678", "satellite"],
    ["+14155550132", "of a country that is not allowed"],
    ["+8617012345678", "of a blocked prefix"],
  ])("sends nothing to %s, which is %s", async (mobileNo) => {
    const { ask, taken } = openFixture({ policy: { smsBlockedPrefixes: ["+86170"] } });
    expect((await ask(mobileNo))._unsafeUnwrapErr()).toEqual({ name: "mobile-no.not-allowed" });
    expect(taken).toEqual([]);
  });

  it("sends to a new range of mobile numbers that the policy names, of the right length only", async () => {
    const policy = { newMobileNumbers: ["+86154########"] };
    const known = openFixture({ policy });
    expect((await known.ask("154 1234 5678")).isOk()).toBe(true);
    expect(known.messages).toMatchObject([{ mobileNo: "+8615412345678" }]);
    for (const wrong of ["+86 154 1234 56", "+86 154 1234 56789"])
      expect((await known.ask(wrong))._unsafeUnwrapErr()).toEqual({ name: "mobile-no.invalid" });
    const unknown = openFixture();
    expect((await unknown.ask("154 1234 5678"))._unsafeUnwrapErr()).toEqual({ name: "mobile-no.invalid" });
  });

  it("counts the messages to a country that has a limit", async () => {
    const { ask, shared } = openFixture({ grant: { used: 1 }, policy: { smsCountries: { US: 7 } } });
    expect((await ask("+14155550132")).isOk()).toBe(true);
    expect(shared).toContain("take sms-country US 2026-01-15/day of 7");
    expect((await ask("+8613800138000"))._unsafeUnwrapErr()).toEqual({ name: "mobile-no.not-allowed" });
  });

  it.each<readonly [string, SmsSender["send"]]>([
    ["does not know the outcome", () => errAsync({ name: "sms.unknown", detail: "timeout" })],
    [
      "throws",
      () => {
        throw new Error("a bug");
      },
    ],
  ])(
    "keeps the code and the unit if the carrier %s, because the message may have been sent",
    async (_what, send) => {
      const { ask, taken } = openFixture({ send });
      expect((await orThrow(ask())).remaining).toBe(3);
      expect(taken).toEqual([TAKE, "add"]);
    },
  );

  it("emits the outcome and the duration of the call, and the detail of a failure", async () => {
    const called = { type: "sms.called", appId: "app_1", durationMs: 40 };
    const accepted = openFixture();
    await accepted.ask();
    expect(accepted.events).toEqual([{ ...called, outcome: "ok" }]);
    const rejected = openFixture({ send: () => errAsync({ name: "sms.rejected", detail: "no balance" }) });
    await rejected.ask();
    expect(rejected.events).toEqual([{ ...called, outcome: "rejected", detail: "no balance" }]);
    const broken = openFixture({
      send: () => {
        throw new Error(`a bug with ${MOBILE}`);
      },
    });
    await broken.ask();
    const detail = "the SMS adapter threw an error";
    expect(broken.events).toEqual([{ ...called, outcome: "unknown", detail }]);
  });

  it.each([
    `no route to ${MOBILE}`,
    "no route to 138-0013-8000",
    "the code 777777 is blocked",
    "it said 7, 7, 7, 7, 7, 7",
  ])("emits no detail that quotes the message: %s", async (detail) => {
    const { ask, events } = openFixture({ send: () => errAsync({ name: "sms.unknown", detail }) });
    await ask();
    expect(events).toEqual([{ type: "sms.called", appId: "app_1", outcome: "unknown", durationMs: 40 }]);
  });

  it("emits nothing if it calls no carrier", async () => {
    const silent = openFixture({ send: "none" });
    const full = openFixture({ grant: { granted: false } });
    await Promise.all([silent.ask(), full.ask()]);
    expect([silent.events, full.events]).toEqual([[], []]);
  });

  it("counts nothing without a carrier, nor for an invalid number", async () => {
    const silent = openFixture({ send: "none" });
    expect((await silent.ask())._unsafeUnwrapErr()).toEqual({ name: "sms.not-configured" });
    const wrong = openFixture();
    expect((await wrong.ask("12345"))._unsafeUnwrapErr()).toEqual({ name: "mobile-no.invalid" });
    expect([silent.taken, wrong.taken]).toEqual([[], []]);
  });

  describe("for a test number", () => {
    const policy = { testNumbers: [{ mobileNo: "13800138000", authCode: "000000", expiresAt: NOW + 1 }] };

    it("stores its fixed code, sends nothing and counts nothing, also without a carrier", async () => {
      const { ask, taken, codes, messages } = openFixture({ policy, send: "none" });
      expect(await orThrow(ask())).toEqual({ remaining: 5, resetAt: "2026-01-16T00:00:00+08:00" });
      expect([taken, messages]).toEqual([["add"], []]);
      expect(codes[0]?.codeHash).toBe("v2:code\napp_1\n+8613800138000\n000000");
    });

    it("fails in an app that has a PROD pay tool", async () => {
      const { ask, taken } = openFixture({ policy, appEnv: "PROD" });
      expect((await ask())._unsafeUnwrapErr()).toEqual({ name: "mobile-no.invalid" });
      expect(taken).toEqual([]);
    });

    it("sends a random code after the test number has expired, and to every other number", async () => {
      const over = openFixture({
        policy: { testNumbers: policy.testNumbers.map((number) => ({ ...number, expiresAt: NOW })) },
      });
      await over.ask();
      expect(over.messages).toHaveLength(1);
      const other = openFixture({ policy });
      await other.ask("13800138001");
      expect(other.messages).toHaveLength(1);
    });

    it("never expires if no expiry is set", async () => {
      const { ask, messages } = openFixture({
        policy: { testNumbers: [{ mobileNo: MOBILE, authCode: "000000" }] },
      });
      expect((await ask()).isOk()).toBe(true);
      expect(messages).toEqual([]);
    });
  });
});
