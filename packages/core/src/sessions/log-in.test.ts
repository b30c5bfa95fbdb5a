import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { ServiceEvent } from "../events/observer.js";
import { defaultPolicy, type Policy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { logIn, logInInput, type LogInOptions, type LogInPorts } from "./log-in.js";
import type { CustomerRecord, Session } from "./session.js";
import type { CodeStore } from "./code-store.js";
import { orThrow } from "../errors/or-throw.js";
import { stub } from "../testing/stubs.js";

const NOW = Date.UTC(2026, 0, 15, 4);

/** Creates ports whose code store returns one outcome, and records the steps. */
function openFixture(
  outcome: "matched" | "wrong" | "none" | "exhausted" | "locked",
  changes: {
    readonly wrongCodes?: number;
    /** How often the customer is erased between identification and session. */
    readonly erasures?: number;
    /** How often the customer loses the number between session and confirmation. */
    readonly moves?: number;
    readonly phones?: readonly CustomerRecord[];
    readonly liveSessions?: number;
    readonly policy?: Partial<Policy>;
  } = {},
) {
  const steps: string[] = [];
  const events: ServiceEvent[] = [];
  const opened: { readonly session: Session; readonly maxLive: number }[] = [];
  const tried: Parameters<CodeStore["attempt"]>[] = [];
  const used = changes.wrongCodes ?? 0;
  let confirmed = 0;
  const ports: LogInPorts = {
    quotas: stub({
      find: ({ scope, subject }, period) => {
        steps.push(`find ${scope} ${subject} ${period}`);
        return okAsync(used);
      },
      take: ({ scope, subject }, { day }) => {
        steps.push(`take ${scope} ${subject} ${day}`);
        return okAsync({ granted: true, used: used + 1 });
      },
    }),
    codes: stub({
      attempt: (...attempt) => {
        steps.push("compare");
        tried.push(attempt);
        return okAsync(outcome);
      },
    }),
    sessions: stub({
      identify: (_appId, _hashes, candidate) => {
        steps.push("identify");
        return okAsync(candidate);
      },
      confirmLogin: () => {
        steps.push("confirm");
        confirmed += 1;
        return okAsync(confirmed > (changes.moves ?? 0));
      },
      revoke: () => {
        steps.push("revoke");
        return okAsync(true);
      },
      findPhones: () => {
        steps.push("find phones");
        return okAsync(changes.phones ?? []);
      },
      countLive: () => okAsync(changes.liveSessions ?? 0),
      movePhones: (_appId, moves) => {
        steps.push(
          `release ${moves.map(({ phoneHash, from }) => `${phoneHash} of ${from ?? ""}`).join(", ")}`,
        );
        return okAsync(0);
      },
      open: (session, maxLive) => {
        steps.push("open");
        opened.push({ session, maxLive });
        return okAsync(opened.length <= (changes.erasures ?? 0) ? undefined : []);
      },
    }),
    customerData: stub({
      eraseLogin: ({ customerIds, phoneHashes }) => {
        steps.push(`erase ${customerIds.length} without ${phoneHashes.length} hashes`);
        return okAsync({ phoneHashes: [], clearedHashes: [], codes: 0, counters: 0, sessions: 0 });
      },
    }),
    payTools: stub({ list: () => okAsync([]) }),
    clock: { now: () => NOW, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count).fill(7) },
    digest: { sha256: (text) => `sha(${text})`, keyed: (text) => [`v2:${text}`, `v1:${text}`] },
    policy: { ...defaultPolicy, ...changes.policy },
    observer: { onEvent: (event) => void events.push(event) },
  };
  const enter = (mobileNo = "13800138000", options: LogInOptions = {}) =>
    parseInput(logInInput(ports.policy), { mobileNo, authCode: "123456" }).asyncAndThen((input) =>
      logIn(ports, "app_1", input, options),
    );
  return { enter, steps, events, opened, tried };
}

const FIND = "find wrong-codes-app app_1 2026-01-15/12";
const DAY_ENDS_AT = Date.UTC(2026, 0, 15, 16);

describe("logIn", () => {
  it("compares the code and opens a session", async () => {
    const { enter, steps } = openFixture("matched");
    expect((await enter()).isOk()).toBe(true);
    expect(steps).toEqual([FIND, "compare", "identify", "open", "confirm"]);
  });

  it("stores only the token's digest, for the policy's sessionTtl", async () => {
    const { enter, opened } = openFixture("matched", { policy: { sessionTtl: 1_000, maxSessions: 3 } });
    const { customerId, token } = await orThrow(enter());
    expect(token).toMatch(/^cus_[0-9A-Z]{26}\.[\w-]{43}$/);
    expect(token.startsWith(`${customerId}.`)).toBe(true);
    const tokenHash = `sha(${token})`;
    const session = { appId: "app_1", customerId, tokenHash, gmtCreate: NOW, expiresAt: NOW + 1_000 };
    expect(opened).toEqual([{ session, maxLive: 3 }]);
  });

  it("compares keyed digests that are bound to the app and the number, within the limits", async () => {
    const { enter, tried } = openFixture("wrong");
    await enter();
    expect(tried).toEqual([
      [
        {
          appId: "app_1",
          phoneHash: "v2:phone\napp_1\n+8613800138000",
          codeHash: "v2:code\napp_1\n+8613800138000\n123456",
        },
        { now: NOW, dayEndsAt: DAY_ENDS_AT, perCode: 5, perDay: 15 },
      ],
    ]);
  });

  it("counts a wrong code against the app", async () => {
    const { enter, steps } = openFixture("wrong");
    expect((await enter())._unsafeUnwrapErr()).toEqual({ name: "auth-code.invalid" });
    expect(steps).toEqual([FIND, "compare", "take wrong-codes-app app_1 2026-01-15/12"]);
  });

  it("does the same work for a number without a live code, and does not count it against the app", async () => {
    const { enter, steps } = openFixture("none");
    expect((await enter())._unsafeUnwrapErr()).toEqual({ name: "auth-code.invalid" });
    expect(steps).toEqual([FIND, "compare", "take unasked-codes-app app_1 2026-01-15/12"]);
  });

  it("distinguishes a code without attempts left from a number that is locked for the day", async () => {
    const spent = openFixture("exhausted");
    expect((await spent.enter())._unsafeUnwrapErr()).toEqual({
      name: "auth-code.attempts-exceeded",
      reason: "code",
    });
    const locked = openFixture("locked");
    expect((await locked.enter())._unsafeUnwrapErr()).toEqual({
      name: "mobile-no.locked",
      retryAfter: 12 * 3_600,
    });
    expect([spent.steps, locked.steps]).toEqual([
      [FIND, "compare"],
      [FIND, "compare"],
    ]);
  });

  it("compares nothing after too many wrong codes for the app, and emits an event near the limit", async () => {
    const policy = { wrongCodesPerHourPerApp: 10 };
    const near = openFixture("wrong", { policy, wrongCodes: 7 });
    await near.enter();
    const nearLimit = { scope: "wrong-codes-app", appId: "app_1", limit: 10, endsAt: NOW + 3_600_000 };
    expect(near.events).toEqual([{ type: "sms.limit-near", used: 8, ...nearLimit }]);
    const paused = openFixture("matched", { policy, wrongCodes: 10 });
    expect((await paused.enter())._unsafeUnwrapErr()).toEqual({
      name: "auth-code.attempts-exceeded",
      reason: "app",
      retryAfter: 3_600,
    });
    expect(paused.steps).toEqual([FIND]);
  });

  it("opens the session of a new customer if the customer was erased meanwhile", async () => {
    const { enter, steps, opened } = openFixture("matched", { erasures: 1 });
    expect((await orThrow(enter())).customerId).toBe(opened[1]?.session.customerId);
    expect(steps.slice(2)).toEqual([
      "identify",
      "open",
      "erase 1 without 0 hashes",
      "identify",
      "open",
      "confirm",
    ]);
  });

  it("fails and returns no token if the customer was erased again", async () => {
    const failure = (await openFixture("matched", { erasures: 2 }).enter())._unsafeUnwrapErr();
    expect(failure).toEqual({ name: "storage.unavailable" });
  });

  it("opens another session if the customer lost the number meanwhile, and ends the first", async () => {
    const { enter, steps, opened } = openFixture("matched", { moves: 1 });
    const { token } = await orThrow(enter());
    expect(opened[1]?.session.tokenHash).toBe(`sha(${token})`);
    const once = ["identify", "open", "confirm"];
    expect(steps.slice(2)).toEqual([...once, "revoke", ...once]);
  });

  it("fails and returns no token if the customer lost the number again", async () => {
    const { enter, steps } = openFixture("matched", { moves: 2 });
    expect((await enter())._unsafeUnwrapErr()).toEqual({ name: "storage.unavailable" });
    expect(steps.filter((step) => step === "revoke")).toHaveLength(2);
  });

  describe("with idleNumberPeriod", () => {
    const DAY = 86_400_000;
    const policy = { idleNumberPeriod: 90 * DAY };
    const record = (customerId: string, phoneHash: string, usedAt?: number) => ({
      appId: "app_1",
      customerId,
      phoneHash,
      gmtCreate: 0,
      ...(usedAt === undefined ? {} : { usedAt }),
    });
    const idle = [record("old", "v2:x", NOW - 90 * DAY), record("old", "v1:x"), record("other", "v0:x")];

    it("takes an idle number from its customer, under each pepper, before it identifies the customer", async () => {
      const { enter, steps } = openFixture("matched", { policy, phones: idle });
      expect((await enter()).isOk()).toBe(true);
      expect(steps.slice(2)).toEqual([
        "find phones",
        "release v2:x of old, v1:x of old",
        "identify",
        "open",
        "confirm",
      ]);
    });

    it.each([
      ["used a millisecond later", { phones: [record("old", "v2:x", NOW - 90 * DAY + 1)] }],
      ["without a recorded login", { phones: [record("old", "v2:x")] }],
      ["of a customer with a live session", { phones: idle, liveSessions: 1 }],
      ["without a customer", { phones: [] }],
    ])("keeps the customer of a number %s", async (_what, changes) => {
      const { enter, steps } = openFixture("matched", { policy, ...changes });
      expect((await enter()).isOk()).toBe(true);
      expect(steps.slice(2)).toEqual(["find phones", "identify", "open", "confirm"]);
    });
  });

  it.each([
    ["iPhone of Li", "iPhone of Li"],
    ["  a\u0000b\nc\ud800 ", "a b c"],
    ["📱".repeat(65), "📱".repeat(64)],
    [" \n", undefined],
    ["", undefined],
  ])("stores the name of the device %j as %j", async (label, stored) => {
    const { enter, opened } = openFixture("matched");
    await enter(undefined, { label });
    expect(opened[0]?.session.label).toBe(stored);
  });

  it("counts nothing for an invalid number", async () => {
    const { enter, steps } = openFixture("matched");
    expect((await enter("12345"))._unsafeUnwrapErr()).toEqual({ name: "mobile-no.invalid" });
    expect(steps).toEqual([]);
  });
});
