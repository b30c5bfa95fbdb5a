import { expectOk } from "@tillkit/contract-tests";
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

  it("asks for a code the next time", async () => {
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
    const { headers } = await send(surface, signingIn("li"));
    expect(headers["set-cookie"]).toMatch(
      /^__Secure-tillkit-operator=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-frame-options": "DENY" });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("answers 401 to a wrong password, and 429 after ten", async () => {
    const { surface, create } = openDashboard();
    await create("li", "support");
    for (let nth = 0; nth < 10; nth += 1)
      expect((await send(surface, signingIn("li", "wrong password"))).status).toBe(401);
    const limited = await send(surface, signingIn("li"));
    expect(limited).toMatchObject({ status: 429, json: { error: { name: "sign-in.limited" } } });
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
      expect(refused.headers).not.toHaveProperty("set-cookie");
    }
    const headers = { origin: "https://shop.example", host: "shop.example" };
    expect((await send(surface, { ...signingIn("li"), headers })).status).toBe(200);
  });

  it("says in Chinese what went wrong if the browser prefers it", async () => {
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
    expect(ended.headers["set-cookie"]).toContain("Max-Age=0");
    expect((await browser.get("/api/session")).json).toMatchObject({ operator: null });
  });
});

it("repeats the token against forged requests to a page that was loaded again", async () => {
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
    const log = await expectOk(ports.auditLog.search({ subject: "operator:an", limit: 10 }));
    expect(log.map(({ action, operator, reason }) => `${action} ${operator} ${reason}`).toReversed()).toEqual(
      [
        "operator.create root joined",
        "operator.role root refunds now",
        "operator.disable root left",
        "operator.enable root back",
      ],
    );
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
