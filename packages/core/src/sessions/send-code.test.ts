import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { ServiceEvent } from "../events/observer.js";
import type { PayTool } from "../pay-tools/pay-tool.js";
import { defaultPolicy, type Policy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { account, stub } from "../testing/stubs.js";
import { sendCode, sendCodeInput, type SendCodePorts } from "./send-code.js";
import type { CodeStore } from "./code-store.js";
import type { SmsMessage, SmsSender } from "./sms-sender.js";

const NOW = Date.UTC(2026, 0, 15, 4);
const MOBILE = "+8613800138000";
const QUOTA = "sms v2:phone\napp_1\n+8613800138000";
const TAKE = `take ${QUOTA} 2026-01-15 of 5 every 7 ms at ${NOW}`;

/** Creates ports with this carrier, and records the steps, the codes and the messages. */
function openFixture(
  changes: {
    readonly send?: SmsSender["send"] | "none";
    readonly granted?: boolean;
    readonly policy?: Partial<Policy>;
    readonly appEnv?: PayTool["appEnv"];
  } = {},
) {
  const taken: string[] = [];
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
        taken.push(`take ${scope} ${subject} ${day} of ${limit} every ${spacing} ms at ${now}`);
        return okAsync({ granted: changes.granted ?? true, used: 2 });
      },
      giveBack: ({ scope, subject }, day) => {
        taken.push(`give back ${scope} ${subject} ${day}`);
        return okAsync(undefined);
      },
    }),
    codes: stub({
      replace: (code) => {
        taken.push("replace");
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
  };
  const ask = (mobileNo = "138 0013 8000") =>
    parseInput(sendCodeInput(ports.policy), { mobileNo }).asyncAndThen((input) =>
      sendCode(ports, "app_1", input),
    );
  return { ask, taken, codes, messages, events };
}

describe("sendCode", () => {
  it("counts the request, stores the code's digest, and sends the code", async () => {
    const { ask, taken, codes, messages } = openFixture();
    const sent = (await ask())._unsafeUnwrap();
    expect(sent).toEqual({ remaining: 3, resetAt: "2026-01-16T00:00:00+08:00" });
    expect(taken).toEqual([TAKE, "replace"]);
    expect(messages).toEqual([{ mobileNo: MOBILE, authCode: "777777", ttl: 60_000 }]);
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
    const { ask, taken, messages } = openFixture({ granted: false });
    expect((await ask())._unsafeUnwrapErr()).toEqual({ name: "sms.quota-exceeded" });
    expect([taken, messages]).toEqual([[TAKE], []]);
  });

  it("removes the code and gives the unit back if the carrier refuses", async () => {
    const { ask, taken, codes } = openFixture({
      send: () => errAsync({ name: "sms.rejected", detail: "full" }),
    });
    expect((await ask())._unsafeUnwrapErr()).toEqual({ name: "sms.not-sent" });
    expect(taken).toEqual([TAKE, "replace", "drop", `give back ${QUOTA} 2026-01-15`]);
    expect(codes[1]).toEqual(codes[0]);
  });

  it.each<readonly [string, SmsSender["send"]]>([
    ["does not know", () => errAsync({ name: "sms.unknown", detail: "timeout" })],
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
      expect((await ask())._unsafeUnwrap().remaining).toBe(3);
      expect(taken).toEqual([TAKE, "replace"]);
    },
  );

  it("emits the outcome and the duration of the call, and the detail of a failure", async () => {
    const type = "sms.called";
    const accepted = openFixture();
    await accepted.ask();
    expect(accepted.events).toEqual([{ type, outcome: "ok", durationMs: 40 }]);
    const rejected = openFixture({ send: () => errAsync({ name: "sms.rejected", detail: "no balance" }) });
    await rejected.ask();
    expect(rejected.events).toEqual([{ type, outcome: "rejected", durationMs: 40, detail: "no balance" }]);
    const broken = openFixture({
      send: () => {
        throw new Error(`a bug with ${MOBILE}`);
      },
    });
    await broken.ask();
    const detail = "the SMS adapter threw an error";
    expect(broken.events).toEqual([{ type, outcome: "unknown", durationMs: 40, detail }]);
  });

  it.each([`no route to ${MOBILE}`, "no route to 138-0013-8000", "the code 777777 is blocked"])(
    "emits no detail that quotes the message: %s",
    async (detail) => {
      const { ask, events } = openFixture({ send: () => errAsync({ name: "sms.unknown", detail }) });
      await ask();
      expect(events).toEqual([{ type: "sms.called", outcome: "unknown", durationMs: 40 }]);
    },
  );

  it("emits nothing if it calls no carrier", async () => {
    const silent = openFixture({ send: "none" });
    const full = openFixture({ granted: false });
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
      expect((await ask())._unsafeUnwrap()).toEqual({ remaining: 5, resetAt: "2026-01-16T00:00:00+08:00" });
      expect([taken, messages]).toEqual([["replace"], []]);
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
