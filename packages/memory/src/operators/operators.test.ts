import { orThrow, parseInput, type PasswordHasher } from "@tillkit/core";
import {
  type AccountPorts,
  beginEnrolment,
  changePassword,
  changePasswordInput,
  checkAuditLog,
  closeOperatorSession,
  confirmSecondFactor,
  createOperator,
  createOperatorInput,
  enterCode,
  findOperatorSession,
  hasCsrfToken,
  type OpenedOperatorSession,
  operatorRoleInput,
  recallCsrfToken,
  removeSecondFactor,
  resetOperator,
  setOperatorDisabled,
  setOperatorRole,
  signIn,
  signInInput,
  type SignInOrigin,
} from "@tillkit/core/operators";
import type { Totp } from "@tillkit/core/ports";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { memoryPorts } from "../ports/memory-ports.js";
import { memoryState } from "../state/memory-state.js";
import { memoryStores } from "../stores/memory-stores.js";
import { testClock } from "../ports/test-clock.js";

const PASSWORD = "correct horse battery";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORIGIN: SignInOrigin = { from: "192.0.2.1", traceId: "trace" };
const BY = { operator: "han", reason: "joined the team", from: "cli", traceId: "" };

/** Hashes at once, so that the tests are fast. */
const passwords: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  matches: async (password, hash) => hash === `hash of ${password}`,
};

/** Accepts codes such as `KEY 17` at every time, and returns 17. */
const totp: Totp = {
  keyOf: (bytes) => `KEY${Buffer.from(bytes).toString("hex")}`,
  uri: (key, operator) => `otpauth://totp/${operator}?secret=${key}`,
  stepOf: (code, key) => {
    const [entered, step] = code.split(" ");
    return entered === key ? Number(step) : undefined;
  },
};

async function aTeam() {
  const clock = testClock(Date.UTC(2026, 0, 15, 4));
  const state = memoryState();
  const ports: AccountPorts = { ...memoryPorts(), ...memoryStores(state), clock, passwords, totp };
  const create = async (name: string, more: object = {}) => {
    const input = parseInput(createOperatorInput(), { name, role: "support", password: PASSWORD, ...more });
    return expectOk(createOperator(ports, orThrow(input), BY));
  };
  const enter = (password = PASSWORD, name = "li", origin = ORIGIN) => {
    const input = orThrow(parseInput(signInInput(), { name, password }));
    return signIn(ports, input, "required", origin);
  };
  const live = async ({ token }: Pick<OpenedOperatorSession, "token">) =>
    (await expectOk(findOperatorSession(ports, token)))?.session;
  const enrolled = async () => {
    const opened = await expectOk(enter());
    const { key } = await expectOk(beginEnrolment(ports, opened, undefined, ORIGIN));
    const session = await expectOk(confirmSecondFactor(ports, opened, { code: `${key} 1` }, ORIGIN));
    return { key, session };
  };
  const audited = async () =>
    (await expectOk(ports.auditLog.read(0, 1_000))).map(
      ({ action, outcome, operator, subject }) => `${action} ${outcome} ${operator} ${subject}`,
    );
  return { clock, state, ports, create, enter, live, enrolled, audited };
}

describe("signing in", () => {
  it("opens an incomplete session, which a code completes under another token", async () => {
    const { ports, create, enter, enrolled, live } = await aTeam();
    await create("li");
    const { key } = await enrolled();
    const first = await expectOk(enter());
    expect(first.session.complete).toBe(false);
    const complete = await expectOk(enterCode(ports, first, `${key} 2`, ORIGIN));
    expect(complete.session.complete).toBe(true);
    expect(await live(first)).toBeUndefined();
    expect(await live(complete)).toEqual(complete.session);
  });

  it("is complete at once if a second factor is optional and was not set up", async () => {
    const { ports, create } = await aTeam();
    await create("li");
    const input = orThrow(parseInput(signInInput(), { name: "li", password: PASSWORD }));
    expect((await expectOk(signIn(ports, input, "optional", ORIGIN))).session.complete).toBe(true);
  });

  it("fails alike for an unknown name, a wrong password and a disabled account", async () => {
    const { ports, create, enter, audited } = await aTeam();
    await create("li");
    expect((await expectFailure(enter("wrong password", "li"))).name).toBe("sign-in.wrong");
    expect((await expectFailure(enter(PASSWORD, "nobody"))).name).toBe("sign-in.wrong");
    await expectOk(setOperatorDisabled(ports, "li", true, BY));
    expect((await expectFailure(enter())).name).toBe("sign-in.wrong");
    expect((await audited()).filter((line) => line.startsWith("session.open"))).toEqual([
      "session.open refused  operator:li",
      "session.open refused  operator:",
      "session.open refused  operator:li",
    ]);
  });

  it("allows ten wrong passwords for a name in fifteen minutes, and then refuses even the right password", async () => {
    const { clock, create, enter } = await aTeam();
    await create("li");
    for (let nth = 0; nth < 10; nth += 1)
      expect((await expectFailure(enter("wrong password"))).name).toBe("sign-in.wrong");
    expect(await expectFailure(enter())).toEqual({ name: "sign-in.limited", retryAfter: 15 * MINUTE });
    clock.advance(15 * MINUTE);
    await expectOk(enter());
  });

  it("allows ten wrong passwords in any fifteen minutes, wherever they begin", async () => {
    const { clock, create, enter } = await aTeam();
    await create("li");
    for (let nth = 0; nth < 10; nth += 1) {
      await expectFailure(enter("wrong password"));
      clock.advance(MINUTE);
    }
    // The first attempt stops counting after 15 minutes, each further attempt a minute later.
    expect(await expectFailure(enter())).toEqual({ name: "sign-in.limited", retryAfter: 5 * MINUTE });
    clock.advance(5 * MINUTE);
    expect((await expectFailure(enter("wrong password"))).name).toBe("sign-in.wrong");
    expect(await expectFailure(enter())).toEqual({ name: "sign-in.limited", retryAfter: MINUTE });
  });

  it("counts the attempts for one name in any case and form together, whether the account exists or not", async () => {
    for (const names of [
      ["li", "LI", "Li ", "ｌｉ"],
      ["nobody", "NoBody", " nobody", "ｎobody"],
    ]) {
      const { create, enter } = await aTeam();
      await create("li");
      for (let nth = 0; nth < 10; nth += 1)
        expect((await expectFailure(enter("wrong password", names[nth % 4]))).name).toBe("sign-in.wrong");
      for (const name of names)
        expect((await expectFailure(enter(PASSWORD, name))).name).toBe("sign-in.limited");
    }
  });

  it("counts the addresses of one IPv6 network together", async () => {
    const { create, enter } = await aTeam();
    await create("li");
    const from = (nth: number) => ({ ...ORIGIN, from: `2001:db8:1:2::${nth.toString(16)}` });
    for (let nth = 0; nth < 30; nth += 1)
      await expectFailure(enter("wrong password", `name-${nth}`, from(nth)));
    expect((await expectFailure(enter(PASSWORD, "li", from(99)))).name).toBe("sign-in.limited");
    await expectOk(enter(PASSWORD, "li", { ...ORIGIN, from: "2001:db8:1:3::1" }));
  });

  it("allows thirty wrong passwords from an address, whatever the names", async () => {
    const { create, enter } = await aTeam();
    await create("li");
    for (let nth = 0; nth < 30; nth += 1) await expectFailure(enter("wrong password", `name-${nth}`));
    expect((await expectFailure(enter())).name).toBe("sign-in.limited");
    await expectOk(enter(PASSWORD, "li", { ...ORIGIN, from: "192.0.2.2" }));
  });

  it("signs an operator in on a known browser while others guess from the same address", async () => {
    const { ports, create, enter, enrolled } = await aTeam();
    await create("li");
    const { key, session } = await enrolled();
    const known = { ...ORIGIN, devices: ["no token", session.device?.token ?? ""] };
    for (let nth = 0; nth < 30; nth += 1) await expectFailure(enter("wrong password", `name-${nth % 3}`));
    for (let nth = 0; nth < 10; nth += 1)
      await expectFailure(enter("wrong password", "li", { ...ORIGIN, from: "192.0.2.9" }));
    expect((await expectFailure(enter())).name).toBe("sign-in.limited");
    const opened = await expectOk(enter(PASSWORD, "li", known));
    expect((await expectFailure(enterCode(ports, opened, `${key} 2`, ORIGIN))).name).toBe("sign-in.limited");
    await expectOk(enterCode(ports, opened, `${key} 2`, known));
  });

  it("counts wrong attempts on a known browser for this browser only, at most ten", async () => {
    const { create, enter, enrolled } = await aTeam();
    await create("li");
    const devices = [(await enrolled()).session.device?.token ?? ""];
    for (let nth = 0; nth < 10; nth += 1)
      await expectFailure(enter("wrong password", "li", { ...ORIGIN, devices }));
    const limited = await expectFailure(enter(PASSWORD, "LI", { ...ORIGIN, devices }));
    expect(limited).toEqual({ name: "sign-in.limited", retryAfter: 15 * MINUTE });
    await expectOk(enter());
  });

  it("does not recognise a browser by another operator's token, a forged token or an old token", async () => {
    const { clock, create, enter, enrolled } = await aTeam();
    await create("li");
    await create("an");
    const token = (await enrolled()).session.device?.token ?? "";
    const [until = "", nonce = "", signature = ""] = token.split(".");
    const forged = [`${Number(until) + 1}.${nonce}.${signature}`, `${until}.x${nonce}.${signature}`, ""];
    const isKnown = async (name: string, devices: readonly string[]) =>
      (await enter(PASSWORD, name, { ...ORIGIN, devices })).isOk();
    for (const name of ["an", "li"])
      for (let nth = 0; nth < 10; nth += 1) await expectFailure(enter("wrong password", name));
    expect(await isKnown("an", [token])).toBe(false);
    expect(await isKnown("li", forged)).toBe(false);
    expect(await isKnown("li", [...Array.from({ length: 8 }, () => "another"), token])).toBe(false);
    expect(await isKnown("li", [token])).toBe(true);
    clock.advance(90 * 24 * HOUR);
    for (let nth = 0; nth < 10; nth += 1) await expectFailure(enter("wrong password"));
    expect(await isKnown("li", [token])).toBe(false);
  });

  it.each<[string, (ports: AccountPorts, session: OpenedOperatorSession) => Promise<unknown>]>([
    ["a reset", async (ports) => expectOk(resetOperator(ports, "li", BY))],
    [
      "a new password",
      async (ports, session) => {
        const sent = { current: PASSWORD, next: "staple correct horse" };
        const input = orThrow(parseInput(changePasswordInput(), sent));
        await expectOk(changePassword(ports, session, input, ORIGIN));
      },
    ],
    [
      "an account that was disabled meanwhile",
      async (ports) => {
        await expectOk(setOperatorDisabled(ports, "li", true, BY));
        await expectOk(setOperatorDisabled(ports, "li", false, BY));
      },
    ],
  ])("forgets known browsers after %s", async (_, change) => {
    const { ports, create, enter, enrolled } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const known = { ...ORIGIN, devices: [session.device?.token ?? ""] };
    for (let nth = 0; nth < 9; nth += 1) await expectFailure(enter("wrong password"));
    await change(ports, session);
    // The browser is not known any more, so the next attempt counts for the name.
    expect((await expectFailure(enter("wrong password", "li", known))).name).toBe("sign-in.wrong");
    expect((await expectFailure(enter("wrong password", "li", known))).name).toBe("sign-in.limited");
  });

  it("finds the account of a name in any case, and uses the name of the account", async () => {
    const { ports, create, enter, audited } = await aTeam();
    await create("Li.Na");
    expect((await expectOk(enter(PASSWORD, "li.na"))).session.operator).toBe("Li.Na");
    const input = orThrow(parseInput(operatorRoleInput(), { name: "LI.NA", role: "viewer" }));
    expect((await expectOk(setOperatorRole(ports, input, BY))).name).toBe("Li.Na");
    await expectOk(setOperatorDisabled(ports, "ｌｉ.na", true, BY));
    await expectOk(resetOperator(ports, "li.na", BY));
    expect(new Set((await audited()).map((line) => line.split(" ").at(-1)))).toEqual(
      new Set(["operator:Li.Na"]),
    );
  });

  it("does not count right passwords", async () => {
    const { create, enter } = await aTeam();
    await create("li");
    for (let nth = 0; nth < 40; nth += 1) await expectOk(enter());
  });

  it("accepts each code once, and counts wrong codes like wrong passwords", async () => {
    const { ports, create, enter, enrolled } = await aTeam();
    await create("li");
    const { key } = await enrolled();
    const opened = await expectOk(enter());
    // The code that set up the second factor was used already.
    expect((await expectFailure(enterCode(ports, opened, `${key} 1`, ORIGIN))).name).toBe("sign-in.wrong");
    for (let nth = 0; nth < 9; nth += 1) await expectFailure(enterCode(ports, opened, "000000", ORIGIN));
    expect((await expectFailure(enterCode(ports, opened, `${key} 2`, ORIGIN))).name).toBe("sign-in.limited");
  });

  it("sets up no second factor if the account already has a second factor", async () => {
    const { ports, create, enter, enrolled } = await aTeam();
    await create("li");
    await enrolled();
    const opened = await expectOk(enter());
    const { key } = await expectOk(beginEnrolment(ports, opened, undefined, ORIGIN));
    const failure = await expectFailure(confirmSecondFactor(ports, opened, { code: `${key} 2` }, ORIGIN));
    expect(failure.name).toBe("second-factor.exists");
  });

  it("replaces and removes the second factor with the password only, and ends other sessions", async () => {
    const { ports, create, enrolled, enter, live } = await aTeam();
    await create("li");
    const { key: old, session } = await enrolled();
    const other = await expectOk(enterCode(ports, await expectOk(enter()), `${old} 2`, ORIGIN));
    const { key } = await expectOk(beginEnrolment(ports, session, PASSWORD, ORIGIN));
    expect(key).not.toBe(old);
    const code = `${key} 3`;
    for (const password of [undefined, "", "wrong password"]) {
      const begun = beginEnrolment(ports, session, password, ORIGIN);
      expect((await expectFailure(begun)).name).toBe("sign-in.wrong");
      const proof = password === undefined ? { code } : { code, password };
      const confirmed = confirmSecondFactor(ports, session, proof, ORIGIN);
      expect((await expectFailure(confirmed)).name).toBe("sign-in.wrong");
    }
    expect(await live(other)).toBeDefined();
    const proof = { code, password: PASSWORD };
    const replaced = await expectOk(confirmSecondFactor(ports, session, proof, ORIGIN));
    expect(replaced.account.totpSecret).toBe(key);
    expect([await live(session), await live(other)]).toEqual([undefined, undefined]);
    const entered = enterCode(ports, await expectOk(enter()), `${old} 9`, ORIGIN);
    expect((await expectFailure(entered)).name).toBe("sign-in.wrong");
    const remove = (password: string, policy: "required" | "optional") =>
      removeSecondFactor(ports, replaced, password, policy, ORIGIN);
    expect((await expectFailure(remove(PASSWORD, "required"))).name).toBe("second-factor.required");
    expect((await expectFailure(remove("wrong password", "optional"))).name).toBe("sign-in.wrong");
    const removed = await expectOk(remove(PASSWORD, "optional"));
    expect(removed.account).not.toHaveProperty("totpSecret");
    expect(await live(replaced)).toBeUndefined();
    expect(await live(removed)).toMatchObject({ complete: true });
    const entries = await expectOk(ports.auditLog.read(0, 1_000));
    const details = entries.filter(({ action }) => action === "operator.second-factor");
    expect(details.map(({ detail }) => detail)).toEqual(
      ["set", "replaced", "removed"].map((secondFactor) => JSON.stringify({ secondFactor })),
    );
  });

  it("removes nothing with the password alone, and counts wrong passwords", async () => {
    const { ports, create, enrolled, enter } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const incomplete = await expectOk(enter());
    const removed = removeSecondFactor(ports, incomplete, PASSWORD, "optional", ORIGIN);
    expect((await expectFailure(removed)).name).toBe("sign-in.wrong");
    for (let nth = 0; nth < 9; nth += 1)
      await expectFailure(beginEnrolment(ports, session, "wrong password", ORIGIN));
    const limited = removeSecondFactor(ports, session, PASSWORD, "optional", ORIGIN);
    expect((await expectFailure(limited)).name).toBe("sign-in.limited");
  });

  it("offers each session another key", async () => {
    const { ports, create, enter } = await aTeam();
    await create("li");
    const [first, second] = [await expectOk(enter()), await expectOk(enter())];
    const keyOf = async (session: OpenedOperatorSession) =>
      (await expectOk(beginEnrolment(ports, session, undefined, ORIGIN))).key;
    expect(await keyOf(first)).toBe(await keyOf(first));
    expect(await keyOf(first)).not.toBe(await keyOf(second));
  });
});

describe("a session", () => {
  it("ends after an hour without a request, and after twelve hours in any case", async () => {
    const { clock, create, enrolled, live } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    for (let halfHour = 1; halfHour < 24; halfHour += 1) {
      clock.advance(HOUR / 2);
      expect(await live(session)).toBeDefined();
    }
    clock.advance(HOUR / 2);
    expect(await live(session)).toBeUndefined();
  });

  it("ends after an hour without a request", async () => {
    const { clock, create, enrolled, live } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    clock.advance(HOUR);
    expect(await live(session)).toBeUndefined();
  });

  it("ends after ten minutes if no code is entered", async () => {
    const { clock, create, enter, live } = await aTeam();
    await create("li");
    const opened = await expectOk(enter());
    clock.advance(10 * MINUTE);
    expect(await live(opened)).toBeUndefined();
  });

  it("ends when the operator signs out, is disabled or gets another password", async () => {
    const { ports, create, enrolled, live } = await aTeam();
    await create("li");
    const { session, key } = await enrolled();
    expect(await expectOk(closeOperatorSession(ports, session.token, { ...BY, operator: "li" }))).toBe(true);
    expect(await live(session)).toBeUndefined();
    const again = await expectOk(
      signIn(
        ports,
        orThrow(parseInput(signInInput(), { name: "li", password: PASSWORD })),
        "required",
        ORIGIN,
      ),
    );
    const complete = await expectOk(enterCode(ports, again, `${key} 5`, ORIGIN));
    await expectOk(resetOperator(ports, "li", BY));
    expect(await live(complete)).toBeUndefined();
  });

  it("has its own token against forged requests (CSRF)", async () => {
    const { ports, create, enrolled } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    expect(hasCsrfToken(ports, session.session, session.csrfToken)).toBe(true);
    for (const other of ["", session.token, session.session.csrfHash])
      expect(hasCsrfToken(ports, session.session, other)).toBe(false);
  });

  it("returns its CSRF token again for its own cookie only", async () => {
    const { ports, create, enrolled } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    expect(recallCsrfToken(ports, session.session, session.token)).toBe(session.csrfToken);
    expect(recallCsrfToken(ports, session.session, "another cookie")).toBeUndefined();
  });

  it("is not stored in clear text", async () => {
    const { state, create, enrolled } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const stored = JSON.stringify([[...state.operatorSessions], [...state.operators], state.auditLog]);
    for (const clear of [session.token, session.csrfToken]) expect(stored).not.toContain(clear);
  });
});

describe("an account", () => {
  it("is created once, with a generated password if no password is given", async () => {
    const { ports, create, enter } = await aTeam();
    const { password = "", account } = await create("li", { password: undefined });
    expect(password.length).toBeGreaterThan(40);
    expect(account).toMatchObject({ role: "support", mustChangePassword: true, disabled: false });
    await expectOk(enter(password));
    const again = orThrow(parseInput(createOperatorInput(), { name: "li", role: "admin" }));
    expect((await expectFailure(createOperator(ports, again, BY))).name).toBe("operator.exists");
  });

  it("is not created under a name that differs only in case or Unicode form", async () => {
    const { ports, create } = await aTeam();
    await create("Li");
    for (const name of ["li", "LI", "Ｌi"]) {
      const input = orThrow(parseInput(createOperatorInput(), { name, role: "admin" }));
      expect((await expectFailure(createOperator(ports, input, BY))).name).toBe("operator.exists");
    }
    expect((await create("Ｈan")).account.name).toBe("Han");
  });

  it("stays if it is the last active admin", async () => {
    const { ports, create } = await aTeam();
    await create("li", { role: "admin" });
    await create("an", { role: "admin", apps: ["app_1"] });
    const lastAdmin = { name: "operator.last-admin" };
    expect(await expectFailure(setOperatorDisabled(ports, "LI", true, BY))).toEqual(lastAdmin);
    for (const rights of [{ role: "finance" }, { role: "admin", apps: ["app_1"] }]) {
      const input = orThrow(parseInput(operatorRoleInput(), { name: "Li", ...rights }));
      expect(await expectFailure(setOperatorRole(ports, input, BY))).toEqual(lastAdmin);
    }
  });

  it.each([
    ["an empty name", { name: "" }],
    ["a name with a space", { name: "li wei" }],
    ["a short password", { password: "short one" }],
    ["a long password", { password: "x".repeat(129) }],
    ["an unknown role", { role: "root" }],
    ["too many apps", { apps: Array.from({ length: 101 }, (_, nth) => `app_${nth}`) }],
  ])("is not created with %s", (_, changes) => {
    const sent = { name: "li", role: "support", password: PASSWORD, ...changes };
    expect(parseInput(createOperatorInput(), sent).isErr()).toBe(true);
  });

  it("changes its password only with the current password, and keeps its second factor", async () => {
    const { ports, create, enrolled, enter, live } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const input = (current: string) =>
      orThrow(parseInput(changePasswordInput(), { current, next: "staple correct horse" }));
    const failure = await expectFailure(changePassword(ports, session, input("wrong"), ORIGIN));
    expect(failure.name).toBe("sign-in.wrong");
    const next = await expectOk(changePassword(ports, session, input(PASSWORD), ORIGIN));
    expect(await live(session)).toBeUndefined();
    expect(await live(next)).toMatchObject({ complete: true });
    await expectFailure(enter());
    const signedIn = await expectOk(enter("staple correct horse"));
    expect(signedIn.account.totpSecret).toBeDefined();
  });

  it("does not change a password that was changed in the meantime", async () => {
    const { ports, create, enrolled, enter } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const { password } = await expectOk(resetOperator(ports, "li", BY));
    const input = parseInput(changePasswordInput(), { current: PASSWORD, next: "staple correct horse" });
    await expectFailure(changePassword(ports, session, orThrow(input), ORIGIN));
    await expectOk(enter(password));
  });

  it("gets another role at once", async () => {
    const { ports, create, enrolled } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const input = parseInput(operatorRoleInput(), { name: "li", role: "viewer", apps: ["app_1"] });
    await expectOk(setOperatorRole(ports, orThrow(input), BY));
    const found = await expectOk(findOperatorSession(ports, session.token));
    expect(found?.account).toMatchObject({ role: "viewer", apps: ["app_1"] });
  });

  it("is unknown to changes if it does not exist", async () => {
    const { ports } = await aTeam();
    const input = orThrow(parseInput(operatorRoleInput(), { name: "li", role: "viewer" }));
    expect((await expectFailure(setOperatorRole(ports, input, BY))).name).toBe("operator.unknown");
    expect((await expectFailure(setOperatorDisabled(ports, "li", true, BY))).name).toBe("operator.unknown");
    expect((await expectFailure(resetOperator(ports, "li", BY))).name).toBe("operator.unknown");
  });
});

describe("checkAuditLog", () => {
  it("finds no break in the entries of the functions", async () => {
    const { ports, create, enrolled } = await aTeam();
    expect(await expectOk(checkAuditLog(ports))).toEqual({});
    await create("li");
    await enrolled();
    const events = await expectOk(ports.auditLog.read(0, 100));
    const { seq, at, hash } = events.at(-1) ?? { seq: 0, at: 0, hash: "" };
    expect(await expectOk(checkAuditLog(ports))).toEqual({ intactUpTo: { seq, at, hash } });
    expect(await expectOk(checkAuditLog(ports, { seq, hash }))).toEqual({
      intactUpTo: { seq, at, hash },
    });
  });

  it("finds a noted entry, unless the entry was removed or the log was written again", async () => {
    const { ports, state, create } = await aTeam();
    for (const name of ["li", "an"]) await create(name);
    const [first, second] = [...state.auditLog];
    if (first === undefined || second === undefined) throw new Error("too few entries");
    expect(await expectOk(checkAuditLog(ports, first))).toMatchObject({ intactUpTo: { seq: 2 } });
    expect(await expectOk(checkAuditLog(ports, { seq: 1, hash: second.hash }))).toEqual({ brokenAt: 1 });
    state.auditLog.pop();
    expect(await expectOk(checkAuditLog(ports, second))).toEqual({ brokenAt: 2 });
  });

  it("finds an entry that was changed, and an entry that was removed", async () => {
    const { ports, state, create } = await aTeam();
    for (const name of ["li", "an", "wu"]) await create(name);
    const [first, second, third] = [...state.auditLog];
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("too few entries");
    state.auditLog.splice(1, 1, { ...second, reason: "another reason" });
    expect(await expectOk(checkAuditLog(ports))).toMatchObject({ intactUpTo: { seq: 1 }, brokenAt: 2 });
    state.auditLog.splice(0, 3, first, third);
    expect(await expectOk(checkAuditLog(ports))).toMatchObject({ intactUpTo: { seq: 1 }, brokenAt: 2 });
  });
});
