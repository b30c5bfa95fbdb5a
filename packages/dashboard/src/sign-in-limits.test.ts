import { expectOk } from "@tillkit/contract-tests";
import { resetOperator, setOperatorDisabled } from "@tillkit/core/operators";
import { memoryPorts, type MemoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import {
  browserOf,
  codeOf,
  openDashboard,
  PASSWORD,
  send,
  type TestAnswer,
  type TestDashboard,
} from "./testing/open-dashboard.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const by = { operator: "root", reason: "test", from: "host", traceId: "" };

/** Enters a name and a password. */
function enter(
  { surface }: Pick<TestDashboard<MemoryPorts>, "surface">,
  name: string,
  { password = PASSWORD, cookie = "", peer = "192.0.2.1" } = {},
) {
  const body = { name, password };
  const headers = cookie === "" ? {} : { cookie };
  return send(surface, { method: "POST", path: "/api/session", body, headers, peer });
}

/** Returns the cookie that makes the browser known. */
function deviceCookieOf({ cookies }: Pick<TestAnswer, "cookies">): string {
  const found = cookies.find((one) => one.includes("-device-")) ?? "";
  return found.slice(0, found.indexOf(";"));
}

/** Opens a dashboard with one operator. `hasFactor` is whether the operator has a second factor. */
async function anAccount(secondFactor: "required" | "optional", hasFactor: boolean) {
  const ports = memoryPorts();
  const dashboard = openDashboard(ports, { secondFactor });
  await dashboard.create("li", "support");
  const browser = hasFactor ? await dashboard.signIn("li") : undefined;
  const { totpSecret = "" } = (await expectOk(ports.operators.find("li"))) ?? {};
  // A code of the next time step, because each code works once.
  const nextCode = () => {
    ports.clock.advance(30 * SECOND);
    return codeOf(totpSecret, ports.clock.now());
  };
  return { ...dashboard, ports, nextCode, browser };
}

describe("the password alone", () => {
  it.each([
    ["required", "without", { opens: false, asksFor: "enrol" }],
    ["required", "with", { opens: false, asksFor: "required" }],
    ["optional", "without", { opens: true, asksFor: "none" }],
    ["optional", "with", { opens: false, asksFor: "required" }],
  ] as const)(
    "opens a session or asks for more: factor %s, account %s one",
    async (policy, has, expected) => {
      const account = await anAccount(policy, has === "with");
      const opened = await enter(account, "li");
      const browser = browserOf(account.surface, "li", opened);
      const { status } = await browser.get("/api/orders");
      expect({ opens: status === 200, asksFor: opened.json["secondFactor"] }).toEqual(expected);
      expect(deviceCookieOf(opened) !== "").toBe(expected.opens);
      expect(opened.json["permissions"]).toEqual(expected.opens ? expect.arrayContaining(["read"]) : []);
    },
  );
});

describe("a code of the second factor", () => {
  it.each(["required", "optional"] as const)(
    "works once, and no earlier code works afterwards (%s)",
    async (policy) => {
      const account = await anAccount(policy, true);
      const { surface, nextCode, ports } = account;
      const codeFor = async (code: string) => {
        const browser = browserOf(surface, "li", await enter(account, "li"));
        return (await browser.post("/api/session/code", { code })).status;
      };
      const earlier = nextCode();
      const code = nextCode();
      expect(await codeFor(code)).toBe(200);
      expect(await codeFor(code)).toBe(401);
      expect(await codeFor(earlier)).toBe(401);
      const before = (await expectOk(ports.operators.find("li")))?.totpLastStep;
      expect(await codeFor(nextCode())).toBe(200);
      expect((await expectOk(ports.operators.find("li")))?.totpLastStep).toBe((before ?? 0) + 1);
    },
  );

  it.each([
    ["empty", () => ""],
    ["shorter", (code: string) => code.slice(0, -1)],
    ["longer", (code: string) => `${code}0`],
    [
      "with another first digit",
      (code: string) => code.replace(/^./, (digit) => (digit === "9" ? "0" : "9")),
    ],
    ["with a sign", (code: string) => `+${code.slice(1)}`],
  ])("is refused if it is %s", async (_, changed) => {
    const account = await anAccount("required", true);
    const browser = browserOf(account.surface, "li", await enter(account, "li"));
    const code = account.nextCode();
    expect((await browser.post("/api/session/code", { code: changed(code) })).status).toBe(401);
    expect((await browser.get("/api/orders")).status).toBe(401);
    expect((await browser.post("/api/session/code", { code })).status).toBe(200);
  });
});

describe("the secrets of a session", () => {
  it.each([
    ["empty", () => ""],
    ["shorter", (text: string) => text.slice(0, -1)],
    ["longer", (text: string) => `${text}A`],
    ["in another case", (text: string) => text.toUpperCase()],
  ])("are refused if they are %s", async (_, changed) => {
    const { surface, browser } = await anAccount("required", true);
    if (browser === undefined) throw new Error("Nobody has signed in.");
    const { cookie, csrfToken } = browser;
    const [name = "", token = ""] = cookie.split("; ")[0]?.split("=") ?? [];
    const ask = (session: string, csrf: string) =>
      send(surface, {
        method: "DELETE",
        path: "/api/session",
        headers: { cookie: `${name}=${session}`, "x-csrf-token": csrf },
      });
    expect((await ask(changed(token), csrfToken)).json).toMatchObject({ error: { name: "session.missing" } });
    expect((await ask(token, changed(csrfToken))).json).toMatchObject({ error: { name: "csrf.invalid" } });
    expect((await ask(token, csrfToken)).status).toBe(200);
  });
});

describe("wrong attempts", () => {
  const many = (count: number) => Array.from({ length: count }, (_, nth) => nth);

  it.each([
    ["10 for one name, from any address", 10, (nth: number) => ({ name: "li", peer: `198.51.100.${nth}` })],
    ["30 from one address, for any name", 30, (nth: number) => ({ name: `x${nth}`, peer: "192.0.2.1" })],
  ])("are limited to %s, within 15 minutes", async (_, limit, attemptOf) => {
    const account = await anAccount("optional", false);
    const attempt = async (nth: number) => {
      const { name, peer } = attemptOf(nth);
      return (await enter(account, name, { peer, password: "wrong password" })).status;
    };
    for (const nth of many(limit)) expect(await attempt(nth)).toBe(401);
    expect(await attempt(limit)).toBe(429);
    // Even the right password is then not checked.
    const { peer } = attemptOf(limit);
    expect((await enter(account, "li", { peer })).status).toBe(429);
    account.ports.clock.advance(15 * MINUTE - 1);
    expect(await attempt(limit)).toBe(429);
    account.ports.clock.advance(1);
    expect((await enter(account, "li", { peer })).status).toBe(200);
  });

  it("are limited to 10 on a known browser", async () => {
    const account = await anAccount("optional", false);
    const cookie = deviceCookieOf(await enter(account, "li"));
    for (const _nth of many(10))
      expect((await enter(account, "li", { cookie, password: "wrong password" })).status).toBe(401);
    expect((await enter(account, "li", { cookie })).status).toBe(429);
    expect((await enter(account, "li")).status).toBe(200);
  });

  it("do not include attempts with the right password", async () => {
    const account = await anAccount("optional", false);
    for (const _nth of many(40)) expect((await enter(account, "li")).status).toBe(200);
  });
});

describe("a known browser", () => {
  /** Returns whether the browser is known, after others have used up the attempts of the name. */
  async function isKnown(account: Awaited<ReturnType<typeof anAccount>>, name: string, cookie: string) {
    for (let nth = 0; nth < 10; nth += 1)
      await enter(account, name, { password: "wrong password", peer: `198.51.100.${nth}` });
    return (await enter(account, name, { cookie, password: "wrong password" })).status === 401;
  }

  it.each([
    ["for 90 days less a moment", 90 * DAY - 1, true],
    ["not after 90 days", 90 * DAY, false],
  ])("is known %s", async (_, age, expected) => {
    const account = await anAccount("optional", false);
    const cookie = deviceCookieOf(await enter(account, "li"));
    account.ports.clock.advance(age);
    expect(await isKnown(account, "li", cookie)).toBe(expected);
  });

  it("is not known for another operator", async () => {
    const account = await anAccount("optional", false);
    await account.create("an", "support");
    const cookie = deviceCookieOf(await enter(account, "li"));
    expect(await isKnown(account, "an", cookie)).toBe(false);
    const own = deviceCookieOf(await enter(account, "an", { peer: "192.0.2.7", cookie: "" }));
    expect(own).toBe("");
  });

  it.each<[string, (account: Awaited<ReturnType<typeof anAccount>>) => Promise<unknown>]>([
    [
      "was disabled, and enabled again",
      async ({ ports }) => {
        await expectOk(setOperatorDisabled(ports, "li", true, by));
        ports.clock.advance(1);
        await expectOk(setOperatorDisabled(ports, "li", false, by));
      },
    ],
    [
      "got a new password",
      async ({ ports }) => {
        const passwords = { hash: async () => "another hash", matches: async () => false };
        await expectOk(resetOperator({ ...ports, passwords }, "li", by));
      },
    ],
  ])("is not known after the account %s", async (_, change) => {
    const account = await anAccount("optional", false);
    const cookie = deviceCookieOf(await enter(account, "li"));
    await change(account);
    expect(await isKnown(account, "li", cookie)).toBe(false);
  });

  it.each([
    ["an empty signature", (text: string) => text.replace(/v1:.*/, "")],
    ["a shorter signature", (text: string) => text.slice(0, -1)],
    ["a longer signature", (text: string) => `${text}0`],
    ["a later end", (text: string) => text.replace(/=\d/, (found) => `${found}9`)],
  ])("is not known with %s", async (_, changed) => {
    const account = await anAccount("optional", false);
    const cookie = deviceCookieOf(await enter(account, "li"));
    expect(changed(cookie)).not.toBe(cookie);
    expect(await isKnown(account, "li", changed(cookie))).toBe(false);
  });
});

describe("a session", () => {
  it.each([
    ["ends 10 minutes after the password, if the code is missing", 10 * MINUTE],
    ["of a new operator ends 10 minutes after the password, without a second factor", 10 * MINUTE],
  ])("%s", async (name, age) => {
    const account = await anAccount("required", !name.includes("new operator"));
    const browser = browserOf(account.surface, "li", await enter(account, "li"));
    const isOpen = async () => (await browser.get("/api/session")).json["operator"] !== null;
    account.ports.clock.advance(age - 1);
    expect(await isOpen()).toBe(true);
    account.ports.clock.advance(1);
    expect(await isOpen()).toBe(false);
  });

  it("ends an hour after its last use, and 12 hours after the sign-in", async () => {
    const { browser, ports } = await anAccount("required", true);
    if (browser === undefined) throw new Error("Nobody has signed in.");
    const use = async () => (await browser.post("/api/orders/app_1/b-1/sync", { reason: "test" })).status;
    for (let halves = 1; halves < 24; halves += 1) {
      ports.clock.advance(HOUR / 2);
      expect([halves, await use()]).toEqual([halves, 404]);
    }
    ports.clock.advance(HOUR / 2 - 1);
    expect(await use()).toBe(404);
    ports.clock.advance(1);
    expect(await use()).toBe(401);
    const other = await anAccount("required", true);
    if (other.browser === undefined) throw new Error("Nobody has signed in.");
    other.ports.clock.advance(HOUR - 1);
    expect((await other.browser.get("/api/orders")).status).toBe(200);
    other.ports.clock.advance(1);
    // Reads that a page makes by itself do not count as a use of the session.
    expect((await other.browser.get("/api/orders")).status).toBe(401);
  });
});
