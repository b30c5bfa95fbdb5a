import { expectOk } from "@tillkit/contract-tests";
import { type AuditEvent, policyWith } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { afterEach, describe, expect, it } from "vitest";
import { LOCAL_CLIENT, type Person, startLocalProvider } from "./local-provider.js";
import { rightsOf } from "./rights-of.js";
import { freePort, MOUNTS, serveWithSingleSignOn } from "./serve.js";
import { testBrowser } from "./testing/browser.js";
import { aPaidOrder } from "./testing/paid-order.js";

const MINUTE = 60_000;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A provider with its people, and a host of the operators' page. */
async function aHost(people: Readonly<Record<string, readonly string[]>>) {
  const known = new Map<string, Person>(Object.entries(people).map(([name, groups]) => [name, { groups }]));
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const provider = await startLocalProvider(known, origin, MOUNTS);
  closing.push(() => provider.close());
  const ports = memoryPorts({ policy: policyWith({ refundApprovalOver: 300 }) });
  let passed = 0;
  const host = await serveWithSingleSignOn(ports, {
    issuer: provider.issuer,
    clientId: LOCAL_CLIENT.id,
    clientSecret: LOCAL_CLIENT.secret,
    port,
    now: () => Date.now() + passed,
  });
  closing.push(() => host.close());
  const enter = async (name: string) => {
    const browser = testBrowser();
    await browser.signIn(start, name);
    return {
      ...browser,
      get: (path: string) => browser.api(host.url, path),
      post: (path: string, body: object) => browser.api(host.url, path, body),
      operator: async () => (await browser.api(host.url, "/api/session")).json["operator"],
    };
  };
  const start = `${origin}/sign-on/start`;
  const pass = (ms: number) => (passed += ms);
  return { ports, known, provider, origin, start, enter, pass, url: host.url };
}

const FINANCE = ["pay-finance", "pay-every-app"];

describe("signing in", () => {
  it("gives the role and the apps of the groups, and returns to the address that was open", async () => {
    const { start, enter, url } = await aHost({ li: ["pay-support", "pay-app:app_1", "staff"], an: FINANCE });
    const li = await enter("li");
    expect(await li.operator()).toEqual({ name: "li", role: "support", apps: ["app_1"] });
    expect(await (await enter("an")).operator()).toEqual({ name: "an", role: "finance" });
    const opened = await li.visit(`${start}?to=${encodeURIComponent("/dashboard/orders?status=PAID")}`);
    expect(opened.url.href).toBe(`${url}/orders?status=PAID`);
  });

  it("sets cookies that scripts and other sites cannot use", async () => {
    const { start, origin } = await aHost({ li: FINANCE });
    const browser = testBrowser();
    const begun = await browser.visit(start, () => true);
    expect(begun.cookies).toEqual([
      expect.stringMatching(/^sign-on-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    expect(begun.url.searchParams.get("code_challenge_method")).toBe("S256");
    const answered = await browser.signIn(start, "li", ({ pathname }) => pathname === "/dashboard");
    expect(answered.cookies).toEqual([
      expect.stringMatching(/^sign-on-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answered.url.origin).toBe(origin);
  });

  it("refuses a person whose groups give no role", async () => {
    const { start } = await aHost({ mo: ["staff"] });
    const refused = await testBrowser().signIn(start, "mo");
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("None of your groups");
  });

  it.each([
    "https://evil.example/dashboard",
    "//evil.example/dashboard",
    "/dashboard-evil",
    "/",
    "javascript:1",
    "\\\\evil",
  ])("does not return to %s", async (to) => {
    const { start, url } = await aHost({ li: FINANCE });
    const at = await testBrowser().signIn(`${start}?to=${encodeURIComponent(to)}`, "li", ({ pathname }) =>
      pathname.startsWith("/dashboard"),
    );
    expect(at.url.href).toBe(url);
  });
});

describe("the answer of the provider", () => {
  const isCallback = ({ pathname }: URL) => pathname === "/sign-on/callback";

  it("is accepted once", async () => {
    const { start } = await aHost({ li: FINANCE });
    const browser = testBrowser();
    const { url } = await browser.signIn(start, "li", isCallback);
    expect((await browser.visit(url.href, () => true)).status).toBe(302);
    expect(await browser.visit(url.href)).toMatchObject({ status: 400 });
  });

  it("is refused in another browser, and with a forged state, nonce or code", async () => {
    const { start } = await aHost({ li: FINANCE });
    const browser = testBrowser();
    const { url } = await browser.signIn(start, "li", isCallback);
    expect((await testBrowser().visit(url.href)).status).toBe(400);
    for (const [name, value] of [
      ["state", "forged"],
      ["state", ""],
      ["code", "forged"],
      ["iss", "https://evil.example"],
    ] as const) {
      const other = await browser.signIn(start, "li", isCallback);
      const forged = new URL(other.url);
      forged.searchParams.set(name, value);
      const refused = await browser.visit(forged.href);
      expect(refused.status).toBe(400);
      expect(refused.cookies).toEqual([]);
    }
    // A code of another sign-in has another verifier and nonce.
    const [one, two] = [
      await browser.signIn(start, "li", isCallback),
      await browser.signIn(start, "li", isCallback),
    ];
    one.url.searchParams.set("code", two.url.searchParams.get("code") ?? "");
    expect((await browser.visit(one.url.href)).status).toBe(400);
  });

  it("is refused after ten minutes", async () => {
    const { start, pass } = await aHost({ li: FINANCE });
    const browser = testBrowser();
    const { url } = await browser.signIn(start, "li", isCallback);
    pass(10 * MINUTE);
    expect((await browser.visit(url.href)).status).toBe(400);
  });
});

describe("the session", () => {
  it("follows the groups within five minutes, and ends for a person who left", async () => {
    const { known, enter, pass } = await aHost({ li: FINANCE });
    const li = await enter("li");
    known.set("li", { groups: ["pay-viewer", "pay-every-app"] });
    expect(await li.operator()).toMatchObject({ role: "finance" });
    pass(5 * MINUTE);
    const roles = await Promise.all(Array.from({ length: 5 }, () => li.operator()));
    expect(roles).toEqual(roles.map(() => ({ name: "li", role: "viewer" })));
    known.delete("li");
    pass(5 * MINUTE);
    expect(await li.operator()).toBeNull();
    expect((await li.get("/api/orders")).status).toBe(401);
  });

  it("ends with the access token, and is renewed without a password while the provider knows the person", async () => {
    const { start, enter, pass } = await aHost({ li: FINANCE });
    const li = await enter("li");
    pass(24 * 60 * MINUTE);
    expect(await li.operator()).toBeNull();
    const again = await li.visit(start);
    expect(again.url.pathname).toBe("/dashboard");
    expect(await li.operator()).toMatchObject({ name: "li" });
  });

  it("fails if the provider cannot be asked, instead of keeping the rights", async () => {
    const { provider, enter, pass } = await aHost({ li: FINANCE });
    const li = await enter("li");
    await provider.close();
    closing.splice(0, 1);
    pass(5 * MINUTE);
    expect((await li.get("/api/orders")).json).toMatchObject({ error: { name: "storage.unavailable" } });
  });

  it("ends here and at the provider when the operator signs out", async () => {
    const { origin, start, enter } = await aHost({ li: FINANCE });
    const li = await enter("li");
    const stolen = new Map(li.jar.get(new URL(origin).host));
    const end = `${origin}/sign-on/end`;
    const foreign = { headers: { "sec-fetch-site": "cross-site" } };
    expect((await li.visit(end, undefined, foreign)).status).toBe(403);
    expect(await li.operator()).toMatchObject({ name: "li" });
    const asked = await li.visit(end);
    const ended = await li.submit(asked, { logout: "yes" });
    expect(ended.url.pathname).toBe("/dashboard");
    expect(await li.operator()).toBeNull();
    // The old cookie opens no session, and the provider asks for the password again.
    li.jar.set(new URL(origin).host, stolen);
    expect(await li.operator()).toBeNull();
    expect((await li.visit(start)).text).toContain("<form");
  });
});

it("lets a second person approve a refund, and never the requester, even with another role and session", async () => {
  const { ports, known, enter, pass } = await aHost({ li: FINANCE, an: FINANCE });
  const appId = await aPaidOrder(ports, "b-1");
  const [li, an] = [await enter("li"), await enter("an")];
  const asked = { refundNo: "r-1", amount: 400, reason: "bought twice" };
  const { json } = await li.post(`/api/orders/${appId}/b-1/refunds`, asked);
  const { id } = Object.assign({ id: "" }, json["approval"]);
  const approve = `/api/refund-approvals/${id}/approve`;
  known.set("li", { groups: ["pay-admin", "pay-every-app"] });
  pass(5 * MINUTE);
  const again = await enter("li");
  for (const own of [li, again])
    expect((await own.post(approve, { reason: "checked" })).json).toMatchObject({
      error: { name: "refund-approval.own" },
    });
  expect((await an.post(approve, { reason: "checked" })).status).toBe(200);
  const log: readonly AuditEvent[] = await expectOk(ports.auditLog.read(0, 100));
  expect(log.filter(({ outcome }) => outcome === "done").map(({ operator }) => operator)).toContain("an");
});

it("gives the highest role, and no app without a group that names apps", () => {
  expect(rightsOf(["pay-viewer", "pay-admin"])).toEqual({ role: "admin", apps: [] });
  expect(rightsOf(["pay-viewer", "pay-app:a", "pay-app:b"])).toEqual({ role: "viewer", apps: ["a", "b"] });
  expect(rightsOf(["Pay-Admin", "pay-every-app"])).toBeUndefined();
});
