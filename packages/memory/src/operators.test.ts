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
  parseInput,
  type PasswordHasher,
  recallCsrfToken,
  resetOperator,
  setOperatorDisabled,
  setOperatorRole,
  signIn,
  signInInput,
  type Totp,
} from "@tillkit/core";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { describe, expect, it } from "vitest";
import { memoryPorts } from "./memory-ports.js";
import { memoryState } from "./memory-state.js";
import { memoryStores } from "./memory-stores.js";
import { testClock } from "./test-clock.js";

const PASSWORD = "correct horse battery";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORIGIN = { from: "192.0.2.1", traceId: "trace" };
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
    return expectOk(createOperator(ports, input._unsafeUnwrap(), BY));
  };
  const enter = (password = PASSWORD, name = "li", origin = ORIGIN) => {
    const input = parseInput(signInInput(), { name, password })._unsafeUnwrap();
    return signIn(ports, input, "required", origin);
  };
  const live = async ({ token }: Pick<OpenedOperatorSession, "token">) =>
    (await expectOk(findOperatorSession(ports, token)))?.session;
  const enrolled = async () => {
    const opened = await expectOk(enter());
    const { key } = beginEnrolment(ports, opened);
    const session = await expectOk(confirmSecondFactor(ports, opened, `${key} 1`, ORIGIN));
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
    const input = parseInput(signInInput(), { name: "li", password: PASSWORD })._unsafeUnwrap();
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

  it("allows ten wrong passwords for a name in fifteen minutes, and no right one after them", async () => {
    const { clock, create, enter } = await aTeam();
    await create("li");
    for (let nth = 0; nth < 10; nth += 1)
      expect((await expectFailure(enter("wrong password"))).name).toBe("sign-in.wrong");
    expect((await expectFailure(enter())).name).toBe("sign-in.limited");
    clock.advance(15 * MINUTE);
    await expectOk(enter());
  });

  it("allows thirty wrong passwords from an address, whatever the names", async () => {
    const { create, enter } = await aTeam();
    await create("li");
    for (let nth = 0; nth < 30; nth += 1) await expectFailure(enter("wrong password", `name-${nth}`));
    expect((await expectFailure(enter())).name).toBe("sign-in.limited");
    await expectOk(enter(PASSWORD, "li", { ...ORIGIN, from: "192.0.2.2" }));
  });

  it("does not count right passwords", async () => {
    const { create, enter } = await aTeam();
    await create("li");
    for (let nth = 0; nth < 40; nth += 1) await expectOk(enter());
  });

  it("accepts each code once, and counts wrong ones like wrong passwords", async () => {
    const { ports, create, enter, enrolled } = await aTeam();
    await create("li");
    const { key } = await enrolled();
    const opened = await expectOk(enter());
    // The code that set up the second factor was used already.
    expect((await expectFailure(enterCode(ports, opened, `${key} 1`, ORIGIN))).name).toBe("sign-in.wrong");
    for (let nth = 0; nth < 9; nth += 1) await expectFailure(enterCode(ports, opened, "000000", ORIGIN));
    expect((await expectFailure(enterCode(ports, opened, `${key} 2`, ORIGIN))).name).toBe("sign-in.limited");
  });

  it("sets up no second factor where there is one", async () => {
    const { ports, create, enter, enrolled } = await aTeam();
    await create("li");
    await enrolled();
    const opened = await expectOk(enter());
    const { key } = beginEnrolment(ports, opened);
    const failure = await expectFailure(confirmSecondFactor(ports, opened, `${key} 2`, ORIGIN));
    expect(failure.name).toBe("second-factor.exists");
  });

  it("offers each session another key", async () => {
    const { ports, create, enter } = await aTeam();
    await create("li");
    const [first, second] = [await expectOk(enter()), await expectOk(enter())];
    expect(beginEnrolment(ports, first)).toEqual(beginEnrolment(ports, first));
    expect(beginEnrolment(ports, first).key).not.toBe(beginEnrolment(ports, second).key);
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
        parseInput(signInInput(), { name: "li", password: PASSWORD })._unsafeUnwrap(),
        "required",
        ORIGIN,
      ),
    );
    const complete = await expectOk(enterCode(ports, again, `${key} 5`, ORIGIN));
    await expectOk(resetOperator(ports, "li", BY));
    expect(await live(complete)).toBeUndefined();
  });

  it("has a token of its own against forged requests", async () => {
    const { ports, create, enrolled } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    expect(hasCsrfToken(ports, session.session, session.csrfToken)).toBe(true);
    for (const other of ["", session.token, session.session.csrfHash])
      expect(hasCsrfToken(ports, session.session, other)).toBe(false);
  });

  it("gives its token against forged requests again for its own cookie only", async () => {
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
  it("is created once, with a generated password if none is given", async () => {
    const { ports, create, enter } = await aTeam();
    const { password = "", account } = await create("li", { password: undefined });
    expect(password.length).toBeGreaterThan(40);
    expect(account).toMatchObject({ role: "support", mustChangePassword: true, disabled: false });
    await expectOk(enter(password));
    const again = parseInput(createOperatorInput(), { name: "li", role: "admin" })._unsafeUnwrap();
    expect((await expectFailure(createOperator(ports, again, BY))).name).toBe("operator.exists");
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

  it("changes its password with the current one only, and keeps its second factor", async () => {
    const { ports, create, enrolled, enter, live } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const input = (current: string) =>
      parseInput(changePasswordInput(), { current, next: "staple correct horse" })._unsafeUnwrap();
    const failure = await expectFailure(changePassword(ports, session, input("wrong"), ORIGIN));
    expect(failure.name).toBe("sign-in.wrong");
    const next = await expectOk(changePassword(ports, session, input(PASSWORD), ORIGIN));
    expect(await live(session)).toBeUndefined();
    expect(await live(next)).toMatchObject({ complete: true });
    await expectFailure(enter());
    const signedIn = await expectOk(enter("staple correct horse"));
    expect(signedIn.account.totpSecret).toBeDefined();
  });

  it("does not change a password that somebody else has changed meanwhile", async () => {
    const { ports, create, enrolled, enter } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const { password } = await expectOk(resetOperator(ports, "li", BY));
    const input = parseInput(changePasswordInput(), { current: PASSWORD, next: "staple correct horse" });
    await expectFailure(changePassword(ports, session, input._unsafeUnwrap(), ORIGIN));
    await expectOk(enter(password));
  });

  it("gets another role at once", async () => {
    const { ports, create, enrolled } = await aTeam();
    await create("li");
    const { session } = await enrolled();
    const input = parseInput(operatorRoleInput(), { name: "li", role: "viewer", apps: ["app_1"] });
    await expectOk(setOperatorRole(ports, input._unsafeUnwrap(), BY));
    const found = await expectOk(findOperatorSession(ports, session.token));
    expect(found?.account).toMatchObject({ role: "viewer", apps: ["app_1"] });
  });

  it("is unknown to changes if it does not exist", async () => {
    const { ports } = await aTeam();
    const input = parseInput(operatorRoleInput(), { name: "li", role: "viewer" })._unsafeUnwrap();
    expect((await expectFailure(setOperatorRole(ports, input, BY))).name).toBe("operator.unknown");
    expect((await expectFailure(setOperatorDisabled(ports, "li", true, BY))).name).toBe("operator.unknown");
    expect((await expectFailure(resetOperator(ports, "li", BY))).name).toBe("operator.unknown");
  });
});

describe("checkAuditLog", () => {
  it("finds no break in what the functions recorded", async () => {
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

  it("finds the noted entry, unless it was removed or the log was written anew", async () => {
    const { ports, state, create } = await aTeam();
    for (const name of ["li", "an"]) await create(name);
    const [first, second] = [...state.auditLog];
    if (first === undefined || second === undefined) throw new Error("too few entries");
    expect(await expectOk(checkAuditLog(ports, first))).toMatchObject({ intactUpTo: { seq: 2 } });
    expect(await expectOk(checkAuditLog(ports, { seq: 1, hash: second.hash }))).toEqual({ brokenAt: 1 });
    state.auditLog.pop();
    expect(await expectOk(checkAuditLog(ports, second))).toEqual({ brokenAt: 2 });
  });

  it("finds an entry that was changed, and one that was removed", async () => {
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
