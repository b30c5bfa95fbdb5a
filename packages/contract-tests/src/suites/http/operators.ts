import {
  configurePayTool,
  type Policy,
  revokeSession,
  revokeAllSessions,
  runHousekeeping,
} from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE, CONCURRENT_CALLERS } from "../../support/fixtures.js";
import { expectOk, race } from "../../support/open-before-each.js";
import type { Caller } from "../../support/http/caller.js";
import { aMobileNo, codeFor, loggedIn } from "../../support/http/logins.js";
import {
  aPurchase,
  created,
  REJECTED,
  storedOrder,
  timelineOf,
  UNKNOWN,
} from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const TEST_NO = "13900000000";
const FIXED_CODE = "424242";

/**
 * Tests the effects of operator functions and of the host's configuration over HTTP.
 *
 * Examples are ended sessions, refused prepayments, test numbers and the minimum pause between
 * codes.
 */
export function operatorsContract(start: StartService): void {
  const isLive = async (caller: Caller, token: string) =>
    (await caller.get("/checkAuth.json", { token })).data;

  describe("revoke", () => {
    it("ends one session, and returns whether there was one", async () => {
      const service = await start();
      const { demo, second, ports } = service;
      const { token } = await loggedIn(service, demo, aMobileNo());
      const { token: other } = await loggedIn(service, demo, aMobileNo());
      expect(await expectOk(revokeSession(ports, second.appId, token))).toBe(false);
      expect(await expectOk(revokeSession(ports, demo.appId, "no token"))).toBe(false);
      expect(await isLive(demo, token)).toBe(true);
      expect(await expectOk(revokeSession(ports, demo.appId, token))).toBe(true);
      expect([await isLive(demo, token), await isLive(demo, other)]).toEqual([false, true]);
      expect(await expectOk(revokeSession(ports, demo.appId, token))).toBe(false);
    });
  });

  describe("revokeAllSessions", () => {
    it("ends every session of one customer of one app, and returns their number", async () => {
      const service = await start();
      const { demo, second, ports } = service;
      const mine = [];
      for (let logins = 0; logins < 3; logins += 1) mine.push(await loggedIn(service, demo, aMobileNo()));
      const bystander = await loggedIn(service, demo, aMobileNo(1));
      const elsewhere = await loggedIn(service, second, aMobileNo());
      const customerId = mine[0]?.customerId ?? "";
      expect(await expectOk(revokeAllSessions(ports, second.appId, customerId))).toBe(0);
      expect(await expectOk(revokeAllSessions(ports, demo.appId, customerId))).toBe(3);
      for (const { token } of mine) expect(await isLive(demo, token)).toBe(false);
      expect(await isLive(demo, bystander.token)).toBe(true);
      expect(await isLive(second, elsewhere.token)).toBe(true);
      expect(await expectOk(revokeAllSessions(ports, demo.appId, customerId))).toBe(0);
      expect(await loggedIn(service, demo, aMobileNo())).toMatchObject({ customerId });
    });
  });

  describe("runHousekeeping", () => {
    it("removes nothing before its retention period ends, and each row once after it", async () => {
      const service = await start();
      const { demo, ports, host } = service;
      const [here, waiting] = [aMobileNo(), aMobileNo(1)];
      const { token } = await loggedIn(service, demo, here);
      const authCode = await codeFor(service, demo, waiting);
      expect((await demo.post("/auth.json", { mobileNo: waiting, authCode: "none" })).code).toBe(10020);
      const kinds = {
        phonesWithExpiredCodes: 0,
        quotas: 0,
        spacings: 0,
        sessions: 0,
        idleCustomers: 0,
        billLines: 0,
        eventDeliveries: 0,
        customerNames: 0,
        operatorSessions: 0,
        signInAttempts: 0,
        abandonedChanges: 0,
      };
      const none = { ...kinds, more: false };
      expect(await expectOk(runHousekeeping(ports))).toEqual(none);
      expect(await isLive(demo, token)).toBe(true);
      expect((await demo.post("/auth.json", { mobileNo: waiting, authCode })).code).toBe(0);
      await codeFor(service, demo, waiting);

      host.clock.advance(8 * DAY);
      await codeFor(service, demo, here);
      const runs = await race(CONCURRENT_CALLERS, () => runHousekeeping(ports));
      const sum = (kind: "phonesWithExpiredCodes" | "quotas" | "sessions") =>
        runs.reduce((total, run) => total + run[kind], 0);
      // Each phone number has one counter of messages, and the app and the host have two each. The
      // app also has a counter of wrong codes. One code was not used.
      expect([sum("phonesWithExpiredCodes"), sum("quotas"), sum("sessions")]).toEqual([1, 7, 0]);
      expect(await isLive(demo, token)).toBe(true);
      for (let sent = 1; sent < 5; sent += 1) await codeFor(service, demo, here);
      expect((await demo.get("/sms.json", { mobileNo: here })).code).toBe(10022);

      host.clock.advance(30 * DAY);
      expect(await expectOk(runHousekeeping(ports))).toMatchObject({ sessions: 2, more: false });
      expect(await loggedIn(service, demo, here)).toMatchObject({
        customerId: token.slice(0, token.indexOf(".")),
      });
    });
  });

  describe("a prepayment that the wallet refuses", () => {
    it("raises one alarm on the order's timeline, and the order can still be paid", async () => {
      const service = await start();
      const { demo, host } = service;
      const purchase = aPurchase();
      for (let tries = 0; tries < 3; tries += 1) {
        host.wallets.WALLET_A.failNext("prepare", REJECTED);
        expect((await demo.post("/order.json", purchase)).code).toBe(30001);
      }
      const order = await storedOrder(service, demo, purchase.bizNo);
      expect(order.paymentStatus).toBe("PENDING");
      const [, refused, ...more] = await timelineOf(service, order);
      expect(refused).toMatchObject({ type: "PREPAYMENT_REJECTED", alarm: true });
      expect(refused?.details).toContain(REJECTED.detail);
      expect(more).toEqual([]);
      expect(service.serviceEvents.filter(({ type }) => type === "order.alarm")).toEqual([
        { type: "order.alarm", appId: demo.appId, orderId: order.id, event: "PREPAYMENT_REJECTED" },
      ]);
      expect(await created(service, demo, purchase)).toMatchObject({ id: order.id });
    });

    it("raises no alarm if the outcome is unknown", async () => {
      const service = await start();
      const purchase = aPurchase();
      service.host.wallets.WALLET_A.failNext("prepare", UNKNOWN);
      expect((await service.demo.post("/order.json", purchase)).code).toBe(30002);
      const order = await storedOrder(service, service.demo, purchase.bizNo);
      expect(await timelineOf(service, order)).toHaveLength(1);
    });
  });

  describe("a test number", () => {
    const withTestNumber = (changes: Partial<Policy["testNumbers"][number]> = {}) =>
      start({ policy: { testNumbers: [{ mobileNo: TEST_NO, authCode: FIXED_CODE, ...changes }] } });

    it("logs in with its fixed code, gets no SMS and uses no quota", async () => {
      const service = await withTestNumber();
      for (let logins = 0; logins < 8; logins += 1) {
        await send(service.demo);
        expect((await entered(service.demo, FIXED_CODE)).code).toBe(0);
      }
      await send(service.demo);
      expect((await entered(service.demo, "424243")).code).toBe(10020);
      expect(service.host.smsSender.messages).toEqual([]);
    });

    it("is recognised in every spelling, and other numbers stay ordinary", async () => {
      const service = await withTestNumber({ mobileNo: `+86${TEST_NO}` });
      await send(service.demo);
      expect((await entered(service.demo, FIXED_CODE)).code).toBe(0);
      const mobileNo = aMobileNo();
      const authCode = await codeFor(service, service.demo, mobileNo);
      expect(service.host.smsSender.messages).toHaveLength(1);
      expect((await service.demo.post("/auth.json", { mobileNo, authCode })).code).toBe(0);
    });

    it("is rejected by an app that has a PROD pay tool, also with an earlier code", async () => {
      const service = await withTestNumber();
      const { demo, second, host } = service;
      await send(demo);
      const tool = await expectOk(host.payTools.current(demo.appId, "WALLET_A"));
      if (tool === undefined) throw new Error("The demo app has no account at WALLET_A.");
      const {
        id: _id,
        appId: _app,
        signStatus: _sign,
        gmtCreate: _made,
        gmtModified: _at,
        ...parameters
      } = tool;
      await expectOk(configurePayTool(host, demo.appId, { ...parameters, appEnv: "PROD" }));
      expect((await demo.get("/sms.json", { mobileNo: TEST_NO })).code).toBe(10013);
      expect((await entered(demo, FIXED_CODE)).code).toBe(10013);
      await send(second);
      expect((await entered(second, FIXED_CODE)).code).toBe(0);
      expect(host.smsSender.messages).toEqual([]);
    });

    it("is an ordinary number once it has expired", async () => {
      const service = await start({
        ports: (ports) => {
          const expiresAt = ports.clock.now() + DAY;
          const testNumbers = [{ mobileNo: TEST_NO, authCode: FIXED_CODE, expiresAt }];
          return { ...ports, policy: { ...ports.policy, testNumbers } };
        },
      });
      const { demo, host } = service;
      host.clock.advance(DAY - 1);
      await send(demo);
      expect(host.smsSender.messages).toEqual([]);
      host.clock.advance(1);
      const authCode = await codeFor(service, demo, TEST_NO);
      expect(host.smsSender.messages).toHaveLength(1);
      // With a chance of one in a million, the random code equals the fixed code.
      expect((await entered(demo, FIXED_CODE)).code).toBe(authCode === FIXED_CODE ? 0 : 10020);
      for (let sent = 1; sent < 5; sent += 1) await codeFor(service, demo, TEST_NO);
      expect((await demo.get("/sms.json", { mobileNo: TEST_NO })).code).toBe(10022);
    });
  });

  describe("policy.smsCooldown", () => {
    it("enforces a pause between two messages to one number, and counts no rejected request", async () => {
      const service = await start({ policy: { smsCooldown: MINUTE } });
      const { demo, second, host } = service;
      const mobileNo = aMobileNo();
      for (let sent = 0; sent < 5; sent += 1) {
        await codeFor(service, demo, mobileNo);
        expect((await demo.get("/sms.json", { mobileNo })).code).toBe(10022);
        host.clock.advance(MINUTE - 1);
        expect((await demo.get("/sms.json", { mobileNo })).code).toBe(10022);
        host.clock.advance(1);
      }
      expect((await demo.get("/sms.json", { mobileNo })).code).toBe(10022);
      expect(host.smsSender.messages).toHaveLength(5);
      await codeFor(service, demo, aMobileNo(1));
      await codeFor(service, second, mobileNo);
    });
  });
}

/** Requests a code for the test number. Fails the test if the request fails. */
async function send(caller: Caller): Promise<void> {
  const answer = await caller.get("/sms.json", { mobileNo: TEST_NO });
  expect(answer.json).toMatchObject({ code: 0, data: "ok" });
}

function entered(caller: Caller, authCode: string) {
  return caller.post("/auth.json", { mobileNo: TEST_NO, authCode });
}
