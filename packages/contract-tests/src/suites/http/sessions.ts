import { readAttention } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../support/fixtures.js";
import { throwingPort, type StartService } from "../../support/http/service.js";
import type { ServiceReply } from "../../support/http/caller.js";
import { expectOk } from "../../support/open-before-each.js";
import { ANY_TEXT } from "../../support/http/json.js";
import { aMobileNo, codeFor, lastCode, loggedIn, wrongCode } from "../../support/http/logins.js";

const mobileNo = aMobileNo();

function countByCode(answers: readonly ServiceReply[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code } of answers) counts[String(code)] = (counts[String(code)] ?? 0) + 1;
  return counts;
}

/** Tests SMS codes, logins and tokens. */
export function sessionsContract(start: StartService): void {
  describe("/sms.json", () => {
    it("accepts exactly 5 of 20 concurrent requests, and more on the next business day", async () => {
      const service = await start();
      const { demo, host } = service;
      const ask = () => demo.get("/sms.json", { mobileNo });
      expect(countByCode(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual({ 0: 5, 10022: 15 });
      expect(host.smsSender.messages).toHaveLength(5);
      // Midnight in China is 16:00 UTC.
      const toMidnight = DAY - ((host.clock.now() + 8 * 60 * MINUTE) % DAY);
      host.clock.advance(toMidnight - 1);
      expect((await ask()).code).toBe(10022);
      host.clock.advance(1);
      expect((await ask()).json).toMatchObject({ code: 0, msg: "success", data: "ok" });
    });

    it("counts all spellings of a number together, and other numbers separately", async () => {
      const { demo, host } = await start({ policy: { smsCountries: { CN: 100, US: 100 } } });
      const spellings = [
        "13800138000",
        "+8613800138000",
        "+86 138 0013 8000",
        "138-0013-8000",
        "008613800138000",
      ];
      for (const spelling of spellings)
        expect((await demo.get("/sms.json", { mobileNo: spelling })).code).toBe(0);
      expect(new Set(host.smsSender.messages.map((message) => message.mobileNo))).toEqual(
        new Set(["+8613800138000"]),
      );
      expect((await demo.get("/sms.json", { mobileNo: "13800138000" })).code).toBe(10022);
      expect((await demo.get("/sms.json", { mobileNo: "+14155550132" })).code).toBe(0);
    });

    it("sends codes of six digits, valid for five minutes", async () => {
      const service = await start();
      const { demo, host } = service;
      expect(await codeFor(service, demo, mobileNo)).toMatch(/^\d{6}$/);
      expect(host.smsSender.messages[0]).toMatchObject({ mobileNo: `+86${mobileNo}`, ttl: 5 * MINUTE });
      host.clock.advance(5 * MINUTE);
      expect((await demo.post("/auth.json", { mobileNo, authCode: lastCode(service) })).code).toBe(10020);
    });

    it("passes the app and the caller's preferred language to the carrier", async () => {
      const { demo, second, host } = await start();
      const ask = (caller: typeof demo, headers: Readonly<Record<string, string>>) =>
        caller.send({ path: "/sms.json", query: { mobileNo }, headers });
      await ask(demo, {});
      await ask(demo, { "accept-language": "en;q=0.8, zh-Hant-TW" });
      await ask(second, { "accept-language": "*" });
      const purpose = "login";
      expect(host.smsSender.messages).toEqual([
        expect.objectContaining({ appId: demo.appId, purpose }),
        expect.objectContaining({ appId: demo.appId, purpose, language: "zh-Hant-TW" }),
        expect.objectContaining({ appId: second.appId, purpose }),
      ]);
      expect(host.smsSender.messages.map((message) => "language" in message)).toEqual([false, true, false]);
    });

    it("does not count a message that the carrier refuses, and counts a message with an unknown outcome", async () => {
      const service = await start();
      const { demo, host } = service;
      const ask = async () => (await demo.get("/sms.json", { mobileNo })).code;
      for (let refusals = 0; refusals < 7; refusals += 1) {
        host.smsSender.failNext({ name: "sms.rejected", detail: "blocked" });
        expect(await ask()).toBe(10023);
      }
      host.smsSender.failNext({ name: "sms.unknown", detail: "no answer" });
      expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([0, 0, 0, 0, 0]);
      expect(await ask()).toBe(10022);
    });

    it("keeps the code that arrived if the carrier refuses the next code", async () => {
      const service = await start({ policy: { smsCooldown: MINUTE } });
      const { demo, host } = service;
      const arrived = await codeFor(service, demo, mobileNo);
      expect((await demo.get("/sms.json", { mobileNo })).code).toBe(10022);
      host.clock.advance(MINUTE);
      host.smsSender.failNext({ name: "sms.rejected", detail: "one a minute" });
      expect((await demo.get("/sms.json", { mobileNo })).code).toBe(10023);
      expect((await demo.post("/auth.json", { mobileNo, authCode: arrived })).code).toBe(0);
    });

    it("keeps both codes if it is not known whether the second code was sent", async () => {
      const service = await start({ policy: { smsPerDay: 100 } });
      const { demo, host } = service;
      for (const entered of ["first", "second"] as const) {
        const first = await codeFor(service, demo, mobileNo);
        host.smsSender.failNext({ name: "sms.unknown", detail: "no answer" });
        expect((await demo.get("/sms.json", { mobileNo })).code).toBe(0);
        const second = host.smsSender.failed.at(-1)?.authCode ?? "";
        const authCode = entered === "first" ? first : second;
        expect((await demo.post("/auth.json", { mobileNo, authCode })).code).toBe(0);
        for (const used of [first, second])
          expect((await demo.post("/auth.json", { mobileNo, authCode: used })).code).toBe(10020);
      }
    });

    it("calls a refusing carrier once in the pause between two messages", async () => {
      const { demo, host } = await start({ policy: { smsCooldown: MINUTE } });
      for (let refusals = 0; refusals < 50; refusals += 1)
        host.smsSender.failNext({ name: "sms.rejected", detail: "blocked" });
      const ask = () => demo.get("/sms.json", { mobileNo });
      const answers = await Promise.all(Array.from({ length: 50 }, ask));
      expect(countByCode(answers)).toEqual({ 10022: 49, 10023: 1 });
      expect(host.smsSender.failed).toHaveLength(1);
    });

    it("returns to the caller how long to wait, and why", async () => {
      const { demo, host } = await start({ policy: { smsCooldown: MINUTE, smsPerDay: 2 } });
      const ask = () => demo.get("/sms.json", { mobileNo });
      expect((await ask()).headers.get("retry-after")).toBeNull();
      host.clock.advance(20_000);
      const soon = await ask();
      expect(soon.headers.get("retry-after")).toBe("40");
      expect(soon.text).toContain("wait a moment");
      host.clock.advance(MINUTE);
      expect((await ask()).code).toBe(0);
      host.clock.advance(MINUTE);
      const tomorrow = await ask();
      const toMidnight = DAY - ((host.clock.now() + 8 * 60 * MINUTE) % DAY);
      expect(tomorrow.headers.get("retry-after")).toBe(String(toMidnight / 1_000));
      expect(tomorrow.text).toContain("try again tomorrow");
    });

    it.each(["+19005551234", "+18005551234", "+861062552000", "+447911123456"])(
      "sends nothing to %s, which is no mobile number of an allowed country",
      async (refused) => {
        const { demo, host } = await start();
        expect((await demo.get("/sms.json", { mobileNo: refused })).code).toBe(10016);
        expect(host.smsSender.messages).toEqual([]);
      },
    );

    it("stops at the limit of an app, warns before it, and serves the other apps", async () => {
      const service = await start({ policy: { smsPerHourPerApp: 10 } });
      const { demo, second, host } = service;
      const asked = Array.from({ length: 40 }, (_, nth) =>
        demo.get("/sms.json", { mobileNo: aMobileNo(nth) }),
      );
      expect(countByCode(await Promise.all(asked))).toEqual({ 0: 10, 10022: 30 });
      expect(host.smsSender.messages).toHaveLength(10);
      const warnings = service.serviceEvents.filter(({ type }) => type === "sms.limit-near");
      expect(warnings).toMatchObject([
        { scope: "sms-app", appId: demo.appId, used: 8, limit: 10 },
        { scope: "sms-app", appId: demo.appId, used: 10, limit: 10 },
      ]);
      const attention = await expectOk(readAttention(service.ports, []));
      expect(attention).toMatchObject([{ kind: "sms-limit-near", subject: demo.appId, used: 10, limit: 10 }]);
      await codeFor(service, second, mobileNo);
      host.clock.advance(60 * MINUTE);
      await codeFor(service, demo, mobileNo);
      expect(await expectOk(readAttention(service.ports, []))).toEqual([]);
    });

    it("sends nothing if the request cannot be counted", async () => {
      const { demo, host } = await start({
        ports: (ports) => ({ ...ports, quotas: throwingPort(ports.quotas) }),
      });
      expect((await demo.get("/sms.json", { mobileNo })).code).toBe(99998);
      expect(host.smsSender.messages).toEqual([]);
    });

    it.each(["123", "not a number", "+999999", "10086", "13800138000x", "１３８００１３８０００x"])(
      "rejects the mobileNo %j",
      async (wrong) => {
        const { demo } = await start();
        expect((await demo.get("/sms.json", { mobileNo: wrong })).code).toBe(10013);
      },
    );

    it("requires mobileNo, and reads it only from the query", async () => {
      const { demo } = await start();
      expect(await demo.get("/sms.json")).toMatchObject({
        code: 10002,
        msg: "Parameter mobileNo is required",
      });
      expect((await demo.get("/sms.json", { mobileNo: "" })).code).toBe(10002);
    });
  });

  describe("/auth.json", () => {
    it("accepts a code once, despite concurrent requests", async () => {
      const service = await start();
      const { demo } = service;
      const authCode = await codeFor(service, demo, mobileNo);
      const logIn = () => demo.post("/auth.json", { mobileNo, authCode });
      const answers = await Promise.all(Array.from({ length: 50 }, logIn));
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
      for (const { code } of answers) expect([0, 10020, 10021]).toContain(code);
      expect((await logIn()).code).not.toBe(0);
    });

    it("accepts JSON, a form and the query", async () => {
      const service = await start();
      const { demo } = service;
      const form = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
      const path = "/auth.json";
      const ways = [
        (authCode: string) => demo.post(path, { mobileNo, authCode }),
        (authCode: string) =>
          demo.send({
            method: "POST",
            path,
            headers: form,
            body: `mobileNo=%2B86${mobileNo}&authCode=${authCode}`,
          }),
        (authCode: string) => demo.send({ method: "POST", path, query: { mobileNo, authCode } }),
        (authCode: string) =>
          demo.send({
            method: "POST",
            path,
            query: { mobileNo },
            headers: form,
            body: `authCode=${authCode}`,
          }),
      ];
      for (const way of ways) {
        const answer = await way(await codeFor(service, demo, mobileNo));
        expect(answer.json).toMatchObject({ code: 0, data: { token: ANY_TEXT } });
      }
      const twice = await demo.send({
        method: "POST",
        path,
        query: { mobileNo },
        headers: form,
        body: `mobileNo=${mobileNo}&authCode=123456`,
      });
      expect(twice.code).toBe(10001);
    });

    it("gives a customer a permanent id, and a different id in every app", async () => {
      const service = await start();
      const first = await loggedIn(service, service.demo, mobileNo);
      const again = await loggedIn(service, service.demo, `+86 ${mobileNo}`);
      expect(again.customerId).toBe(first.customerId);
      expect(again.token).not.toBe(first.token);
      expect((await loggedIn(service, service.demo, aMobileNo(1))).customerId).not.toBe(first.customerId);
      expect((await loggedIn(service, service.second, mobileNo)).customerId).not.toBe(first.customerId);
      expect(first.token).not.toContain(mobileNo);
    });

    it("returns the same answer for a wrong, used, expired, replaced and never sent code", async () => {
      const service = await start();
      const { demo, host } = service;
      const refused = async (number: string, authCode: string) => {
        const { text, traceId } = await demo.post("/auth.json", { mobileNo: number, authCode });
        return text.replace(String(traceId), "");
      };
      const never = await refused(aMobileNo(9), "123456");
      const code = await codeFor(service, demo, mobileNo);
      const wrong = await refused(mobileNo, wrongCode(code));
      await demo.post("/auth.json", { mobileNo, authCode: code });
      const used = await refused(mobileNo, code);
      const replaced = await codeFor(service, demo, aMobileNo(1));
      const newest = await codeFor(service, demo, aMobileNo(1));
      const old = replaced === newest ? wrong : await refused(aMobileNo(1), replaced);
      host.clock.advance(5 * MINUTE);
      const expired = await refused(aMobileNo(1), newest);
      expect(never).toBe('{"code":10020,"msg":"The verification code is not valid","traceId":""}');
      expect([wrong, used, old, expired]).toEqual([never, never, never, never]);
    });

    it("rejects even the right code after 5 wrong attempts", async () => {
      const service = await start();
      const { demo } = service;
      const authCode = await codeFor(service, demo, mobileNo);
      const attempt = async (code: string) =>
        (await demo.post("/auth.json", { mobileNo, authCode: code })).code;
      for (let tries = 0; tries < 5; tries += 1) expect(await attempt(wrongCode(authCode))).toBe(10020);
      expect(await attempt(authCode)).toBe(10021);
      expect(await attempt(await codeFor(service, demo, mobileNo))).toBe(0);
    });

    it("compares at most 5 of many concurrent wrong attempts", async () => {
      const service = await start();
      const { demo } = service;
      const authCode = await codeFor(service, demo, mobileNo);
      const wrong = () => demo.post("/auth.json", { mobileNo, authCode: wrongCode(authCode) });
      const answers = await Promise.all(Array.from({ length: 15 }, wrong));
      expect(countByCode(answers)).toEqual({ 10020: 5, 10021: 10 });
      expect((await demo.post("/auth.json", { mobileNo, authCode })).code).toBe(10021);
    });

    it("allows 15 wrong attempts a day over all codes of a number, without effect on other numbers", async () => {
      const service = await start();
      const { demo, host } = service;
      const attempt = async (authCode: string) =>
        (await demo.post("/auth.json", { mobileNo, authCode })).code;
      for (let codes = 0; codes < 3; codes += 1) {
        const wrong = wrongCode(await codeFor(service, demo, mobileNo));
        for (let tries = 0; tries < 5; tries += 1) expect(await attempt(wrong)).toBe(10020);
      }
      const locked = await demo.get("/sms.json", { mobileNo });
      expect(locked).toMatchObject({ code: 20001, msg: ANY_TEXT });
      expect(locked.text).toContain("try again tomorrow");
      expect(await attempt(lastCode(service))).toBe(20001);
      expect(host.smsSender.messages).toHaveLength(3);
      await loggedIn(service, demo, aMobileNo(1));
      host.clock.advance(DAY);
      expect(await attempt(await codeFor(service, demo, mobileNo))).toBe(0);
    });

    it("counts no attempts for a number without a live code, so that a stranger cannot lock it", async () => {
      const service = await start();
      const { demo } = service;
      for (let tries = 0; tries < 20; tries += 1)
        expect((await demo.post("/auth.json", { mobileNo, authCode: "000000" })).code).toBe(10020);
      await loggedIn(service, demo, mobileNo);
    });

    it("does not count right attempts", async () => {
      const service = await start({ policy: { smsPerDay: 100 } });
      for (let logins = 0; logins < 20; logins += 1) await loggedIn(service, service.demo, mobileNo);
      const authCode = await codeFor(service, service.demo, mobileNo);
      const answer = await service.demo.post("/auth.json", { mobileNo, authCode: wrongCode(authCode) });
      expect(answer.code).toBe(10020);
    });

    it("requires both parameters", async () => {
      const { demo } = await start();
      expect(await demo.post("/auth.json", { mobileNo })).toMatchObject({
        code: 10002,
        msg: "Parameter authCode is required",
      });
      expect((await demo.send({ method: "POST", path: "/auth.json" })).code).toBe(10002);
    });
  });

  describe("/checkAuth.json", () => {
    it("returns true for a live token and false for anything else", async () => {
      const service = await start();
      const { demo, second, host } = service;
      const { token, customerId } = await loggedIn(service, demo, mobileNo);
      const check = async (text: string, caller = demo) => {
        const answer = await caller.get("/checkAuth.json", { token: text });
        expect(answer.json).toMatchObject({ code: 0, msg: "success", data: answer.data === true });
        return answer.data;
      };
      expect(await check(token)).toBe(true);
      expect(await check(token, second)).toBe(false);
      const changed = `${token.slice(0, -1)}${token.endsWith("A") ? "E" : "A"}`;
      for (const other of [
        changed,
        "x",
        "\u0000",
        "会员",
        `${token}x`,
        ` ${token}`,
        customerId,
        "a".repeat(5_000),
      ]) {
        expect(await check(other)).toBe(false);
      }
      host.clock.advance(30 * DAY - 1);
      expect(await check(token)).toBe(true);
      host.clock.advance(1);
      expect(await check(token)).toBe(false);
      expect((await demo.get("/checkAuth.json")).code).toBe(10002);
    });

    it("returns false for the oldest of six sessions, and true for the other five", async () => {
      const service = await start({ policy: { smsPerDay: 100 } });
      const { demo, host } = service;
      const bystander = await loggedIn(service, demo, aMobileNo(1));
      const tokens: string[] = [];
      for (let sessions = 0; sessions < 6; sessions += 1) {
        tokens.push((await loggedIn(service, demo, mobileNo)).token);
        host.clock.advance(1);
      }
      const live = await Promise.all(
        [...tokens, bystander.token].map(
          async (token) => (await demo.get("/checkAuth.json", { token })).data,
        ),
      );
      expect(live).toEqual([false, true, true, true, true, true, true]);
    });
  });
}
