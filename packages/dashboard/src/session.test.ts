import { expectOk } from "@tillkit/contract-tests";
import type { AuditEvent } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import { browserOf, codeOf, openDashboard, PASSWORD, send } from "./testing/open-dashboard.js";

const signingIn = (name: string, password = PASSWORD) =>
  ({ method: "POST", path: "/api/session", body: { name, password } }) as const;

describe("signing in", () => {
  it("asks a new operator to set up a second factor, and then gives the rights of the role", async () => {
    const { surface, create, ports } = openDashboard();
    await create("li", "support");
    const opened = await send(surface, signingIn("li"));
    expect(opened.json).toMatchObject({ operator: { name: "li" }, secondFactor: "enrol", permissions: [] });
    const first = browserOf(surface, "li", opened);
    const { json } = await first.post("/api/session/enrolment");
    expect(json["uri"]).toContain(`secret=${String(json["key"])}`);
    const code = codeOf(String(json["key"]), ports.clock.now());
    const confirmed = await first.post("/api/session/enrolment/confirm", { code });
    expect(confirmed).toMatchObject({ status: 200, json: { secondFactor: "none" } });
    expect(confirmed.json["permissions"]).toContain("refund.request");
    expect(confirmed.json["permissions"]).not.toContain("refund.approve");
    // The session of the first step has ended.
    expect((await first.get("/api/session")).json).toMatchObject({ operator: null });
  });

  it("asks for a code at the next sign-in", async () => {
    const { surface, create, signIn, ports } = openDashboard();
    await create("li", "support");
    await signIn("li");
    const { totpSecret = "" } = (await expectOk(ports.operators.find("li"))) ?? {};
    ports.clock.advance(60_000);
    const first = browserOf(surface, "li", await send(surface, signingIn("li")));
    expect((await first.get("/api/operators")).json).toMatchObject({ error: { name: "session.incomplete" } });
    const wrong = await first.post("/api/session/code", { code: "000000" });
    expect(wrong).toMatchObject({ status: 401, json: { error: { name: "sign-in.wrong" } } });
    const code = codeOf(totpSecret, ports.clock.now());
    expect((await first.post("/api/session/code", { code })).json).toMatchObject({ secondFactor: "none" });
  });

  it("sets a cookie that scripts and other sites cannot use", async () => {
    const { surface, create } = openDashboard();
    await create("li", "support");
    const { headers, cookies } = await send(surface, signingIn("li"));
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Secure-tillkit-operator=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-frame-options": "DENY" });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("answers 401 to a wrong password, and 429 after ten wrong passwords", async () => {
    const { surface, create } = openDashboard();
    await create("li", "support");
    for (let nth = 0; nth < 10; nth += 1)
      expect((await send(surface, signingIn("li", "wrong password"))).status).toBe(401);
    const limited = await send(surface, signingIn("li"));
    expect(limited).toMatchObject({ status: 429, json: { error: { name: "sign-in.limited" } } });
  });

  it("returns in the text and in a header when the next attempt is possible", async () => {
    const { surface, ports } = openDashboard();
    for (let nth = 0; nth < 10; nth += 1) {
      await send(surface, signingIn("li"));
      ports.clock.advance(10_500);
    }
    const headers = { "accept-language": "zh-CN" };
    const limited = await send(surface, signingIn("li"));
    expect(limited.headers["retry-after"]).toBe(String(15 * 60 - 105));
    expect(limited.json).toMatchObject({
      error: { message: "Too many wrong attempts: try again in 14 minutes" },
    });
    expect((await send(surface, { ...signingIn("li"), headers })).json).toMatchObject({
      error: { message: "错误次数过多，请 14 分钟后再试" },
    });
    ports.clock.advance((15 * 60 - 105) * 1_000 - 500);
    const soon = await send(surface, signingIn("li"));
    expect(soon.headers["retry-after"]).toBe("1");
    expect(soon.json).toMatchObject({ error: { message: "Too many wrong attempts: try again in 1 second" } });
    ports.clock.advance(500);
    expect((await send(surface, signingIn("li"))).status).toBe(401);
  });

  it("lets operators sign in on known browsers while others guess passwords behind the same proxy", async () => {
    const { surface, create, signIn, ports } = openDashboard();
    for (const name of ["li", "an"]) await create(name, "support");
    // Both use one browser, which keeps a cookie for each of them.
    const used = [await signIn("li"), await signIn("an")];
    const cookie = used
      .flatMap((browser) => browser.cookie.split("; "))
      .filter((one) => one.includes("-device-"))
      .join("; ");
    expect(new Set(cookie.split("; ").map((one) => one.split("=")[0])).size).toBe(2);
    const guesses = Array.from({ length: 30 }, (_, nth) => `name-${nth}`);
    for (const name of guesses) expect((await send(surface, signingIn(name))).status).toBe(401);
    expect((await send(surface, signingIn("li"))).status).toBe(429);
    for (const name of ["li", "an"]) {
      const opened = await send(surface, { ...signingIn(name), headers: { cookie } });
      expect(opened).toMatchObject({ status: 200, json: { secondFactor: "required" } });
      const { totpSecret = "" } = (await expectOk(ports.operators.find(name))) ?? {};
      ports.clock.advance(60_000);
      const [session = ""] = opened.cookies.map((one) => one.split(";")[0]);
      const complete = await send(surface, {
        method: "POST",
        path: "/api/session/code",
        body: { code: codeOf(totpSecret, ports.clock.now()) },
        headers: { cookie: `${session}; ${cookie}`, "x-csrf-token": String(opened.json["csrfToken"]) },
      });
      expect(complete.status).toBe(200);
      expect(complete.cookies[1]).toMatch(
        /^__Secure-tillkit-operator-device-[\da-f]{16}=\d+\.[\w-]{43}\.v1:[\da-f]{64}; Path=\/dashboard\/api\/session; HttpOnly; SameSite=Strict; Secure; Max-Age=7776000$/,
      );
    }
  });

  it("refuses a request from another site", async () => {
    const { surface, create } = openDashboard();
    await create("li", "support");
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example", host: "shop.example" },
      { origin: "null", host: "shop.example" },
    ] as const) {
      const refused = await send(surface, { ...signingIn("li"), headers });
      expect(refused).toMatchObject({ status: 403, json: { error: { name: "origin.forbidden" } } });
      expect(refused.cookies).toEqual([]);
    }
    const headers = { origin: "https://shop.example", host: "shop.example" };
    expect((await send(surface, { ...signingIn("li"), headers })).status).toBe(200);
  });

  it("returns messages in Chinese if the browser prefers Chinese", async () => {
    const { surface } = openDashboard();
    const headers = { "accept-language": "zh-CN,zh;q=0.9" };
    const refused = await send(surface, { ...signingIn("li"), headers });
    expect(refused.json).toMatchObject({ error: { message: "用户名、密码或验证码错误" } });
  });

  it("ends with the session and deletes the cookie", async () => {
    const { surface, create, signIn } = openDashboard();
    await create("li", "support");
    const browser = await signIn("li");
    const headers = { cookie: browser.cookie, "x-csrf-token": browser.csrfToken };
    const ended = await send(surface, { method: "DELETE", path: "/api/session", headers });
    expect(ended.cookies).toEqual([expect.stringContaining("Max-Age=0")]);
    expect((await browser.get("/api/session")).json).toMatchObject({ operator: null });
  });
});

it("returns the same token against forged requests to a page that was loaded again", async () => {
  const { create, signIn } = openDashboard();
  await create("li", "support");
  const li = await signIn("li");
  expect((await li.get("/api/session")).json).toMatchObject({ csrfToken: li.csrfToken });
});

describe("the password", () => {
  it("must be changed after a reset before anything else", async () => {
    const { surface, create, signIn, ports } = openDashboard();
    await create("root", "admin");
    await create("li", "admin");
    const root = await signIn("root");
    const reset = await root.post("/api/operators/li/reset", { reason: "lost the phone" });
    const password = String(reset.json["password"]);
    const first = browserOf(surface, "li", await send(surface, signingIn("li", password)));
    const { json } = await first.post("/api/session/enrolment");
    const code = codeOf(String(json["key"]), ports.clock.now());
    const complete = browserOf(surface, "li", await first.post("/api/session/enrolment/confirm", { code }));
    expect((await complete.get("/api/operators")).json).toMatchObject({
      error: { name: "password.must-change" },
    });
    const change = { current: password, next: "staple correct horse" };
    const changed = await complete.post("/api/session/password", change);
    expect(changed.json).toMatchObject({ mustChangePassword: false });
    const next = browserOf(surface, "li", changed);
    expect((await next.get("/api/operators")).status).toBe(200);
    expect((await complete.get("/api/operators")).status).toBe(401);
  });

  it("cannot be changed before the second factor is entered", async () => {
    const { surface, create } = openDashboard();
    await create("li", "support");
    const first = browserOf(surface, "li", await send(surface, signingIn("li")));
    const change = { current: PASSWORD, next: "staple correct horse" };
    const refused = await first.post("/api/session/password", change);
    expect(refused).toMatchObject({ status: 401, json: { error: { name: "session.incomplete" } } });
  });
});

describe("the second factor of the own account", () => {
  const OWN = "/api/session/enrolment";

  async function aSession(secondFactor: "required" | "optional") {
    const { surface, create, signIn, ports } = openDashboard(memoryPorts(), { secondFactor });
    await create("li", "support");
    const li = await signIn("li");
    const stored = async () => (await expectOk(ports.operators.find("li")))?.totpSecret;
    const now = () => ports.clock.now();
    return { surface, li, signIn, stored, ports, now };
  }

  it.each(["required", "optional"] as const)(
    "cannot be set, replaced or removed with a stolen session (%s)",
    async (secondFactor) => {
      const { li, stored, now } = await aSession(secondFactor);
      const before = await stored();
      expect(before).toBeDefined();
      // The thief may know a key that the page showed.
      const { json } = await li.post(OWN, { password: PASSWORD });
      const code = codeOf(String(json["key"]), now());
      for (const wrong of [{}, { password: "" }, { password: "wrong password" }]) {
        for (const [path, body] of [
          [OWN, wrong],
          [`${OWN}/confirm`, { ...wrong, code }],
        ] as const)
          expect((await li.post(path, body)).json).toMatchObject({ error: { name: "sign-in.wrong" } });
        expect((await li.post(`${OWN}/remove`, wrong)).status).toBeGreaterThanOrEqual(400);
      }
      expect(await stored()).toBe(before);
    },
  );

  it("cannot be set with a stolen session if the account has none", async () => {
    const { surface, create, ports } = openDashboard(memoryPorts(), { secondFactor: "optional" });
    await create("li", "support");
    const opened = await send(surface, signingIn("li"));
    expect(opened.json).toMatchObject({ secondFactor: "none", ownSecondFactor: "absent" });
    const li = browserOf(surface, "li", opened);
    expect((await li.post(OWN)).status).toBe(401);
    expect((await li.post(`${OWN}/confirm`, { code: "000000" })).status).toBe(401);
    expect(await expectOk(ports.operators.find("li"))).not.toHaveProperty("totpSecret");
    expect((await li.post(`${OWN}/remove`, { password: PASSWORD })).json).toMatchObject({
      error: { name: "second-factor.changed" },
    });
  });

  it.each([
    ["required", "permanent", 409, "second-factor.required"],
    ["optional", "removable", 200, undefined],
  ] as const)(
    "is replaced, and removed where the policy allows (%s)",
    async (policy, own, status, failure) => {
      const { surface, li, stored, ports, now } = await aSession(policy);
      expect((await li.get("/api/session")).json).toMatchObject({ ownSecondFactor: own });
      const before = await stored();
      ports.clock.advance(60_000);
      const first = browserOf(surface, "li", await send(surface, signingIn("li")));
      const other = await first.post("/api/session/code", { code: codeOf(before ?? "", now()) });
      expect(other.status).toBe(200);
      const { json } = await li.post(OWN, { password: PASSWORD });
      const proof = { code: codeOf(String(json["key"]), now()), password: PASSWORD };
      const replaced = await li.post(`${OWN}/confirm`, proof);
      expect(replaced).toMatchObject({ status: 200, json: { ownSecondFactor: own } });
      expect(await stored()).toBe(json["key"]);
      // The operator's other sessions have ended.
      expect((await browserOf(surface, "li", other).get("/api/orders")).status).toBe(401);
      const next = browserOf(surface, "li", replaced);
      const removed = await next.post(`${OWN}/remove`, { password: PASSWORD });
      expect(removed.status).toBe(status);
      if (failure !== undefined) expect(removed.json).toMatchObject({ error: { name: failure } });
      expect((await stored()) === undefined).toBe(status === 200);
    },
  );

  it("is not removed before its code is entered", async () => {
    const { surface, stored } = await aSession("optional");
    const first = browserOf(surface, "li", await send(surface, signingIn("li")));
    const refused = await first.post(`${OWN}/remove`, { password: PASSWORD });
    expect(refused.json).toMatchObject({ error: { name: "session.incomplete" } });
    expect(await stored()).toBeDefined();
  });
});

describe("operators", () => {
  it("are created, changed and disabled by an admin, with entries in the audit log", async () => {
    const { create, signIn, ports } = openDashboard();
    await create("root", "admin");
    const root = await signIn("root");
    const account = { name: "an", role: "support", apps: ["app_1"], reason: "joined" };
    const created = await root.post("/api/operators", account);
    expect(created.json).toMatchObject({ account: { name: "an", hasSecondFactor: false } });
    expect(String(created.json["password"]).length).toBeGreaterThan(40);
    expect((await root.post("/api/operators", account)).status).toBe(409);
    const role = { role: "finance", reason: "refunds now" };
    expect((await root.post("/api/operators/an/role", role)).json).toMatchObject({ role: "finance" });
    expect((await root.post("/api/operators/an/disable", { reason: "left" })).json).toMatchObject({
      disabled: true,
    });
    expect((await root.post("/api/operators/an/enable", { reason: "back" })).json).toMatchObject({
      disabled: false,
    });
    expect((await root.post("/api/operators/none/enable", { reason: "back" })).status).toBe(404);
    const { json } = await root.get("/api/operators");
    expect(JSON.stringify(json)).not.toMatch(/hash|totp/i);
    const log = (await expectOk(ports.auditLog.search({ subject: "operator:an", limit: 10 }))).items;
    expect(log.map(({ action, operator, reason }) => `${action} ${operator} ${reason}`).toReversed()).toEqual(
      [
        "operator.create root joined",
        "operator.role root refunds now",
        "operator.disable root left",
        "operator.enable root back",
      ],
    );
  });

  it("cannot remove the rights of the last active admin", async () => {
    const { create, signIn } = openDashboard();
    await create("root", "admin");
    const root = await signIn("root");
    const reason = "leaves";
    const refused = await root.post("/api/operators/Root/disable", { reason });
    expect(refused).toMatchObject({ status: 409, json: { error: { name: "operator.last-admin" } } });
    expect((await root.post("/api/operators/root/role", { role: "viewer", reason })).status).toBe(409);
    await create("an", "admin");
    expect((await root.post("/api/operators/root/disable", { reason })).status).toBe(200);
  });

  it("cannot be changed without a reason", async () => {
    const { create, signIn } = openDashboard();
    await create("root", "admin");
    const root = await signIn("root");
    const reasons = ["", "  ", "x".repeat(201), "two\nlines", "null \u0000"];
    for (const body of [{}, ...reasons.map((reason) => ({ reason }))])
      expect((await root.post("/api/operators/root/disable", body)).status).toBe(400);
  });
});

it("writes one entry for a wrong password or code in a change", async () => {
  const { surface, create, signIn, ports } = openDashboard();
  await create("li", "support");
  const added = async (since: number) => (await expectOk(ports.auditLog.read(since, 100))).map(entryOf);
  const entryOf = ({ action, outcome, operator, detail = "" }: AuditEvent) =>
    [action, outcome, operator, detail].join(" ");
  const failure = JSON.stringify({ failure: "sign-in.wrong" });
  const length = async () => (await expectOk(ports.auditLog.read(0, 100))).length;
  const first = browserOf(surface, "li", await send(surface, signingIn("li")));
  await first.post("/api/session/enrolment");
  const beforeCode = await length();
  expect(await first.post("/api/session/enrolment/confirm", { code: "000000" })).toMatchObject({
    status: 401,
  });
  expect(await added(beforeCode)).toEqual([`operator.second-factor refused li ${failure}`]);
  const li = await signIn("li");
  const beforePassword = await length();
  const wrong = { current: "wrong password", next: "staple correct horse" };
  expect(await li.post("/api/session/password", wrong)).toMatchObject({ status: 401 });
  expect(await added(beforePassword)).toEqual([`operator.password refused li ${failure}`]);
});
