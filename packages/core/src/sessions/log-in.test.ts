import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy, type Policy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { logIn, logInInput, type LogInPorts } from "./log-in.js";
import type { Session } from "./session.js";
import type { CodeStore } from "./code-store.js";
import { stub } from "../testing/stubs.js";

const NOW = Date.UTC(2026, 0, 15, 4);

/** Creates ports whose code store returns one outcome, and records the steps. */
function openFixture(
  outcome: "matched" | "wrong" | "exhausted",
  changes: {
    readonly granted?: boolean;
    readonly giveBackFails?: boolean;
    readonly policy?: Partial<Policy>;
  } = {},
) {
  const taken: string[] = [];
  const opened: { readonly session: Session; readonly maxLive: number }[] = [];
  const tried: Parameters<CodeStore["attempt"]>[] = [];
  const ports: LogInPorts = {
    quotas: stub({
      take: ({ scope }, { day, limit }) => {
        taken.push(`take ${scope} ${day} of ${limit}`);
        return okAsync({ granted: changes.granted ?? true, used: 1 });
      },
      giveBack: ({ scope }) => {
        taken.push(`give back ${scope}`);
        return changes.giveBackFails === true
          ? errAsync({ name: "storage.unavailable" })
          : okAsync(undefined);
      },
    }),
    codes: stub({
      attempt: (...attempt) => {
        taken.push("compare");
        tried.push(attempt);
        return okAsync(outcome);
      },
    }),
    sessions: stub({
      identify: (_appId, _hashes, candidate) => {
        taken.push("identify");
        return okAsync(candidate);
      },
      open: (session, maxLive) => {
        taken.push("open");
        opened.push({ session, maxLive });
        return okAsync([]);
      },
    }),
    payTools: stub({ list: () => okAsync([]) }),
    clock: { now: () => NOW, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count).fill(7) },
    digest: { sha256: (text) => `sha(${text})`, keyed: (text) => [`v2:${text}`, `v1:${text}`] },
    policy: { ...defaultPolicy, ...changes.policy },
  };
  const enter = (mobileNo = "13800138000") =>
    parseInput(logInInput(ports.policy), { mobileNo, authCode: "123456" }).asyncAndThen((input) =>
      logIn(ports, "app_1", input),
    );
  return { enter, taken, opened, tried };
}

const TAKE = "take code-tries 2026-01-15 of 15";

describe("logIn", () => {
  it("counts the attempt before it compares the code, and gives it back if the code was right", async () => {
    const { enter, taken } = openFixture("matched");
    expect((await enter()).isOk()).toBe(true);
    expect(taken).toEqual([TAKE, "compare", "give back code-tries", "identify", "open"]);
  });

  it("stores only the token's digest, for the lifetime of the policy", async () => {
    const { enter, opened } = openFixture("matched", { policy: { sessionTtl: 1_000, maxSessions: 3 } });
    const { customerId, token } = (await enter())._unsafeUnwrap();
    expect(token).toMatch(/^cus_[0-9A-Z]{26}\.[\w-]{43}$/);
    expect(token.startsWith(`${customerId}.`)).toBe(true);
    const tokenHash = `sha(${token})`;
    const session = { appId: "app_1", customerId, tokenHash, gmtCreate: NOW, expiresAt: NOW + 1_000 };
    expect(opened).toEqual([{ session, maxLive: 3 }]);
  });

  it("compares keyed digests that are bound to the app and the number", async () => {
    const { enter, tried } = openFixture("wrong");
    await enter();
    const [code, now, maxTries] = tried[0] ?? [];
    expect(code).toEqual({
      appId: "app_1",
      phoneHash: "v2:phone\napp_1\n+8613800138000",
      codeHash: "v2:code\napp_1\n+8613800138000\n123456",
    });
    expect([now, maxTries]).toEqual([NOW, defaultPolicy.codeTries]);
  });

  it("counts a wrong attempt, and opens no session", async () => {
    const { enter, taken } = openFixture("wrong");
    expect((await enter())._unsafeUnwrapErr()).toEqual({ name: "auth-code.invalid" });
    expect(taken).toEqual([TAKE, "compare"]);
  });

  it("gives back an attempt that was not compared because the code had no attempts left", async () => {
    const { enter, taken } = openFixture("exhausted");
    expect((await enter())._unsafeUnwrapErr()).toEqual({ name: "auth-code.attempts-exceeded" });
    expect(taken).toEqual([TAKE, "compare", "give back code-tries"]);
  });

  it("compares no code, right or wrong, after the day's attempts are used up", async () => {
    const { enter, taken } = openFixture("matched", { granted: false });
    expect((await enter())._unsafeUnwrapErr()).toEqual({ name: "auth-code.attempts-exceeded" });
    expect(taken).toEqual([TAKE]);
  });

  it("succeeds even if the attempt cannot be given back", async () => {
    expect((await openFixture("matched", { giveBackFails: true }).enter()).isOk()).toBe(true);
  });

  it("counts nothing for an invalid number", async () => {
    const { enter, taken } = openFixture("matched");
    expect((await enter("12345"))._unsafeUnwrapErr()).toEqual({ name: "mobile-no.invalid" });
    expect(taken).toEqual([]);
  });
});
