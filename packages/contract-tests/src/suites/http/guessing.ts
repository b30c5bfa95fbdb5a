import { Agent } from "node:http";
import { type Random, revokeSession } from "@tillkit/core";
import { rotateSecret } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE, unique } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { type ServiceReply, type Caller, callerAt, fetchAnswer } from "../../support/http/caller.js";
import { aDownloadsClient } from "./downloads.js";
import { sendVerbatim } from "../../support/http/send-verbatim.js";
import { at } from "../../support/http/json.js";
import { aMobileNo, codeFor, lastCode, loggedIn, wrongCode } from "../../support/http/logins.js";
import { aPurchase, created, paid } from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";
import { recorded } from "../../support/http/recorded.js";

const SOCKETS = 60;
const mobileNo = aMobileNo();

/** A service, and the port calls since the list was last cleared. */
interface Observed {
  readonly service: Service;
  readonly work: string[];
}

/** Wrong guesses by kind. Each function prepares the service and returns the guessing request. */
type Guesses = Readonly<Record<string, (service: Service) => Promise<() => Promise<ServiceReply>>>>;

const SECRETS: Guesses = {
  "of an unknown app": async ({ baseUrl, demo }) => asks(baseUrl, "app_nobody", demo.appSecret),
  "that is wrong": async ({ baseUrl, demo }) => asks(baseUrl, demo.appId, `${demo.appSecret.slice(0, -1)}~`),
  "that is shorter": async ({ baseUrl, demo }) => asks(baseUrl, demo.appId, demo.appSecret.slice(0, -1)),
  "that is longer": async ({ baseUrl, demo }) => asks(baseUrl, demo.appId, `${demo.appSecret}A`),
  "in another case": async ({ baseUrl, demo }) => asks(baseUrl, demo.appId, demo.appSecret.toUpperCase()),
  "of another app": async ({ baseUrl, demo, second }) => asks(baseUrl, demo.appId, second.appSecret),
  "of a disabled app": async ({ baseUrl, host, demo }) => {
    await expectOk(host.apps.setDisabled(demo.appId, true, host.clock.now()));
    return asks(baseUrl, demo.appId, demo.appSecret);
  },
  "that was replaced": async ({ baseUrl, host, demo }) => {
    await expectOk(rotateSecret(host, demo.appId, MINUTE));
    host.clock.advance(MINUTE);
    return asks(baseUrl, demo.appId, demo.appSecret);
  },
};

const CODES: Guesses = {
  "for an unknown number": async ({ demo }) => logsIn(demo, "123456"),
  "that is wrong": async (service) => {
    const code = await codeFor(service, service.demo, mobileNo);
    return logsIn(service.demo, wrongCode(code));
  },
  "that is of another length": async (service) => {
    const code = await codeFor(service, service.demo, mobileNo);
    return logsIn(service.demo, code.slice(1));
  },
  "that is longer": async (service) => {
    const code = await codeFor(service, service.demo, mobileNo);
    return logsIn(service.demo, `${code}0`);
  },
  "of another app": async (service) => {
    const code = await codeFor(service, service.second, mobileNo);
    return logsIn(service.demo, code);
  },
  "that was used": async (service) => {
    await loggedIn(service, service.demo, mobileNo);
    return logsIn(service.demo, lastCode(service));
  },
  "that was replaced": async (service) => {
    const code = await codeFor(service, service.demo, mobileNo);
    while ((await codeFor(service, service.demo, mobileNo)) === code);
    return logsIn(service.demo, code);
  },
  "that is too old": async (service) => {
    const code = await codeFor(service, service.demo, mobileNo);
    service.host.clock.advance(5 * MINUTE);
    return logsIn(service.demo, code);
  },
};

const TOKENS: Guesses = {
  "of an unknown customer": async ({ demo }) => shows(demo, `cus_${"0".repeat(26)}.${"A".repeat(43)}`),
  "that is wrong for a customer": async (service) => {
    const { customerId } = await loggedIn(service, service.demo, mobileNo);
    return shows(service.demo, `${customerId}.${"A".repeat(43)}`);
  },
  "of another app": async (service) => {
    const { token } = await loggedIn(service, service.second, mobileNo);
    return shows(service.demo, token);
  },
  "that was revoked": async (service) => {
    const { token } = await loggedIn(service, service.demo, mobileNo);
    await expectOk(revokeSession(service.host, service.demo.appId, token));
    return shows(service.demo, token);
  },
  "that is too old": async (service) => {
    const { token } = await loggedIn(service, service.demo, mobileNo);
    service.host.clock.advance(30 * DAY);
    return shows(service.demo, token);
  },
};

const ORDERS: Guesses = {
  "that does not exist": async ({ demo }) => reads(demo, "buy-none", "user-1"),
  "of another customer": async (service) => {
    const order = await created(service, service.demo, aPurchase({ customerIdentity: "user-2" }));
    return reads(service.demo, order.bizNo, "user-1");
  },
  "of another customer that is paid": async (service) => {
    const order = await created(service, service.demo, aPurchase({ customerIdentity: "user-2" }));
    await paid(service, order);
    return reads(service.demo, order.bizNo, "user-1");
  },
  "of another app": async (service) => {
    const order = await created(service, service.second, aPurchase({ customerIdentity: "user-1" }));
    return reads(service.demo, order.bizNo, "user-1");
  },
};

/**
 * Tests what a wrong guess reveals, and how many guesses are allowed.
 *
 * The guesses concern credentials, codes, tokens and clients of downloads.
 */
export function guessingContract(start: StartService): void {
  const observed = async (): Promise<Observed> => {
    const work: string[] = [];
    return { service: await start({ ports: (ports) => recorded(ports, work) }), work };
  };

  // After a failure, the surface reads the cache again to add the app to the event about the
  // request.
  describe.each([
    [
      "APP_SECRET",
      SECRETS,
      { code: 1001, work: ["digest.sha256", "apps.getCached", "apps.find", "apps.getCached"] },
    ],
    [
      "code",
      CODES,
      {
        code: 10020,
        work: [
          "digest.sha256",
          "apps.getCached",
          "digest.keyed",
          "digest.keyed",
          "quotas.find",
          "codes.attempt",
          "quotas.take",
          "apps.getCached",
        ],
      },
    ],
    [
      "token",
      TOKENS,
      { code: 0, work: ["digest.sha256", "apps.getCached", "digest.sha256", "sessions.use"] },
    ],
    [
      "order",
      ORDERS,
      { code: 50001, work: ["digest.sha256", "apps.getCached", "orders.findOwn", "apps.getCached"] },
    ],
  ] as const)("%s", (_what, guesses, expected) => {
    it("gives the same answer after the same work, for every kind of wrong guess", async () => {
      const answers = await Promise.all(
        Object.entries(guesses).map(async ([kind, prepare]) => {
          const { service, work } = await observed();
          const guess = await prepare(service);
          work.length = 0;
          const { code, status, text, traceId, headers } = await guess();
          const kept = [...headers].filter(([name]) => !["x-trace-id", "date"].includes(name));
          const output = text.replace(String(traceId), "");
          return { kind, reported: { code, status, kept, output }, work: [...work] };
        }),
      );
      for (const { kind, reported, work } of answers) {
        expect(reported, kind).toEqual(answers[0]?.reported);
        expect({ kind, code: reported.code, work }).toEqual({ kind, ...expected });
      }
    });
  });

  it(`compares a code at most 5 times, from ${SOCKETS} sockets at once, and the codes of a phone number 15 times a day`, async () => {
    const { service, work } = await observed();
    const { demo } = service;
    for (const refusal of [10021, 10021, 20001]) {
      const authCode = await codeFor(service, demo, mobileNo);
      const answers = await fromManySockets(service, { mobileNo, authCode: wrongCode(authCode) });
      const codes = answers.map(({ code }) => code);
      expect(new Set(answers.map(({ port }) => port)).size).toBe(SOCKETS);
      expect(codes.filter((code) => code === 10020)).toHaveLength(5);
      expect(codes.filter((code) => code === refusal)).toHaveLength(SOCKETS - 5);
      expect((await demo.post("/auth.json", { mobileNo, authCode })).code).toBe(refusal);
    }
    expect(work).not.toContain("sessions.identify");
    // After 15 wrong attempts, no new code is sent on this day.
    expect((await demo.get("/sms.json", { mobileNo })).code).toBe(20001);
  });

  it("does not lock out the owner of a secret or token after wrong guesses", async () => {
    const service = await start();
    const { baseUrl, demo } = service;
    const { token } = await loggedIn(service, demo, mobileNo);
    const secrets = Array.from({ length: 50 }, (_, nth) => `sk_${String(nth).padStart(43, "A")}`);
    const refused = await Promise.all(
      secrets.map(async (secret) => (await asks(baseUrl, demo.appId, secret)()).code),
    );
    expect(new Set(refused)).toEqual(new Set([1001]));
    const tokens = secrets.map((secret) => `${token.slice(0, -43)}${secret.slice(3)}`);
    const shown = await Promise.all(tokens.map(async (guess) => (await shows(demo, guess)()).data));
    expect(new Set(shown)).toEqual(new Set([false]));
    expect((await shows(demo, token)()).data).toBe(true);
  });

  it("refuses an empty secret, and a token with a part that is shorter, longer or absent", async () => {
    const service = await start();
    const { baseUrl, demo } = service;
    expect((await asks(baseUrl, demo.appId, "")()).code).toBe(1);
    const { customerId, token } = await loggedIn(service, demo, mobileNo);
    const secret = token.slice(customerId.length + 1);
    const wrong = [
      `${customerId}.`,
      customerId,
      secret,
      `.${secret}`,
      `${customerId}.${secret.slice(0, -1)}`,
      `${customerId}.${secret}A`,
      `${customerId}x.${secret}`,
      `${customerId.slice(0, -1)}.${secret}`,
      `${token} `,
    ];
    for (const guess of wrong) expect([guess, (await shows(demo, guess)()).data]).toEqual([guess, false]);
    expect((await shows(demo, token)()).data).toBe(true);
  });

  it("answers an id that resembles a client's id without using the client's allowance, and only looks up the id", async () => {
    const { service, work } = await observed();
    const range = "start=2026-01-13&end=2026-01-15";
    const clientId = await aDownloadsClient(service, 1);
    const ask = (id: string) =>
      fetchAnswer(`${service.metricsUrl}/misc/v2/downloads-api?id=${encodeURIComponent(id)}&${range}`);
    work.length = 0;
    const close = [
      `${clientId} `,
      ` ${clientId}`,
      clientId.toUpperCase(),
      clientId.slice(0, -1),
      `${clientId}%`,
      "%",
      "_",
    ];
    for (const id of [
      ...close,
      `${clientId}\u0000`,
      ...Array.from({ length: 20 }, () => unique("client-")),
    ]) {
      const { status, data } = await ask(id);
      expect([status, at(data, "errorCode")], id).toEqual([403, "ID_NOT_ALLOWED"]);
    }
    expect(new Set(work)).toEqual(new Set(["downloadsClients.getCached", "downloadsClients.find"]));
    expect((await ask(clientId)).status).toBe(200);
  });

  it("generates secrets, tokens, codes and client ids only from its source of randomness", async () => {
    const drawn: Uint8Array[] = [];
    const service = await start({
      ports: (ports) => {
        const random: Random = {
          bytes: (count) => {
            const bytes = ports.random.bytes(count);
            drawn.push(Uint8Array.from(bytes));
            return bytes;
          },
        };
        return { ...ports, random };
      },
    });
    const { ports, demo } = service;
    const { appSecret } = await expectOk(rotateSecret(ports, demo.appId, MINUTE));
    expect(drawn.map(hexOf)).toContain(hexOf(Buffer.from(appSecret.slice(3), "base64url")));
    const { token } = await loggedIn(service, demo, mobileNo);
    const secret = Buffer.from(token.slice(token.indexOf(".") + 1), "base64url");
    expect(secret).toHaveLength(32);
    expect(drawn.map(hexOf)).toContain(hexOf(secret));
    // Bytes that would favour low digits are replaced, so a code may use bytes of two draws.
    expect(drawn.map(digitsOf).join("")).toContain(lastCode(service));
  });
}

/** Returns a function that sends a request with these credentials. */
function asks(baseUrl: string, appId: string, appSecret: string) {
  return () => callerAt(baseUrl, { appId, appSecret }).get("/payTools.json");
}

function logsIn(caller: Caller, authCode: string) {
  return () => caller.post("/auth.json", { mobileNo, authCode });
}

function reads(caller: Caller, bizNo: string, customerIdentity: string) {
  return () => caller.get("/detail.json", { bizNo, customerIdentity });
}

function shows(caller: Caller, token: string) {
  return () => caller.get("/checkAuth.json", { token });
}

/** Sends a login from many connections at once. */
function fromManySockets({ baseUrl, demo }: Service, login: Readonly<Record<string, string>>) {
  const body = Buffer.from(JSON.stringify(login));
  const headers = { APP_ID: demo.appId, APP_SECRET: demo.appSecret, "content-type": "application/json" };
  return Promise.all(
    Array.from({ length: SOCKETS }, async () => {
      const agent = new Agent({ keepAlive: false });
      const sent = await sendVerbatim(baseUrl, { method: "POST", path: "/auth.json", headers, body, agent });
      const answer: unknown = JSON.parse(sent.body.toString());
      return { code: at(answer, "code"), port: sent.localPort };
    }),
  );
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Returns the digits of random bytes whose digits have equal probability. */
function digitsOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => (byte < 250 ? String(byte % 10) : "")).join("");
}
