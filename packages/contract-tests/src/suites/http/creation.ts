import { PAY_CHANNELS } from "@tillkit/core";
import { setAppRules } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { NO_CHECK } from "../../support/fixtures.js";
import type { ServiceReply } from "../../support/http/caller.js";
import { ANY_NUMBER, ANY_TEXT, at, aTextLike, membersOf, numberAt, textAt } from "../../support/http/json.js";
import { aPurchase, created, detail, storedOrder } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";
import { expectOk } from "../../support/open-before-each.js";

/** Tests the input of POST /order.json, its response, and its retries. */
export function creationContract(start: StartService): void {
  describe("the payload", () => {
    it("of WALLET_A has the documented members, with seconds as a number", async () => {
      const { demo, host } = await start();
      const { data, traceId, json } = await demo.post("/order.json", aPurchase());
      expect(data).toEqual({
        appid: ANY_TEXT,
        partnerid: ANY_TEXT,
        prepayid: ANY_TEXT,
        noncestr: ANY_TEXT,
        package: ANY_TEXT,
        timestamp: ANY_NUMBER,
        sign: ANY_TEXT,
      });
      expect(textAt(data, "appid")).not.toBe(demo.appId);
      expect(numberAt(data, "timestamp")).toBe(Math.floor(host.clock.now() / 1_000));
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(json).not.toHaveProperty("message");
    });

    it("of WALLET_B has the documented members, with yuan as text and times in China's time zone", async () => {
      const { demo, ports } = await start();
      const answer = await demo.post(
        "/order.json",
        aPurchase({ payChannel: "WALLET_B", amount: 1_000_000_001 }),
      );
      expect(answer.json).toMatchObject({
        code: 0,
        msg: "success",
        message: "success",
        traceId: ANY_TEXT,
      });
      expect(membersOf(answer.data)).toEqual([
        "app_id",
        "biz_content",
        "charset",
        "format",
        "method",
        "notify_url",
        "return_url",
        "sign",
        "sign_type",
        "timestamp",
        "version",
      ]);
      expect(textAt(answer.data, "timestamp")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(textAt(answer.data, "notify_url").startsWith(ports.notificationsUrl)).toBe(true);
      const content: unknown = JSON.parse(textAt(answer.data, "biz_content"));
      expect(content).toMatchObject({ total_amount: "10000000.01", subject: "Thirty days" });
      expect(textAt(content, "out_trade_no")).toMatch(/^[0-9A-Za-z]{6,32}$/);
    });

    it.each([
      ["WALLET_A", "NATIVE", "code_url"],
      ["WALLET_A", "H5", "h5_url"],
      ["WALLET_B", "NATIVE", "qr_code"],
      ["WALLET_B", "H5", "pay_url"],
      ["WALLET_B", "PC", "pay_url"],
    ])("of %s for %s is the URL of the payment", async (payChannel, paySource, member) => {
      const { demo } = await start();
      const { data } = await demo.post("/order.json", aPurchase({ payChannel, paySource }));
      expect(data).toEqual({ [member]: aTextLike(/^[a-z-]+:\/\//) });
    });
  });

  describe("repeating a creation", () => {
    it.each(PAY_CHANNELS)("returns the same prepayment at %s", async (payChannel) => {
      const service = await start();
      const purchase = aPurchase({ payChannel, attachData: '{"a":1}', sourceFrom: "others" });
      const first = await service.demo.post("/order.json", purchase);
      service.host.clock.advance(1_500);
      const again = await service.demo.post("/order.json", { ...purchase, customerName: "another label" });
      expect(again.json).toMatchObject({ code: 0 });
      expect(again.data).toEqual(first.data);
      // Later the payload gets a new signature, for the same prepayment.
      service.host.clock.advance(90_000);
      const later = await service.demo.post("/order.json", purchase);
      const number = payChannel === "WALLET_A" ? ["prepayid"] : ["app_id"];
      expect(at(later.data, ...number)).toEqual(at(first.data, ...number));
      expect(at(later.data, "sign")).not.toEqual(at(first.data, "sign"));
    });

    it("treats an explicit default like an absent value", async () => {
      const { demo } = await start();
      const purchase = aPurchase();
      await demo.post("/order.json", purchase);
      expect((await demo.post("/order.json", { ...purchase, paySource: "APP", sourceFrom: null })).code).toBe(
        0,
      );
    });

    const changes = {
      amount: 601,
      goodsTitle: "Another title",
      payChannel: "WALLET_B",
      paySource: "NATIVE",
      customerIdentity: "customer-2",
      serviceNo: "s-1",
      attachData: "other",
      sourceFrom: "store_01",
    };
    it.each(Object.entries(changes))("is a conflict that names %s if it differs", async (field, value) => {
      const service = await start();
      const purchase = aPurchase();
      const order = await created(service, service.demo, purchase);
      const answer = await service.demo.post("/order.json", { ...purchase, [field]: value });
      expect(answer).toMatchObject({
        code: 50002,
        msg: `bizNo is already used by an order with a different ${field}`,
      });
      expect(await storedOrder(service, service.demo, purchase.bizNo)).toEqual(order);
    });

    it("is a conflict that names every field that differs, including the service type", async () => {
      const { demo, serviceTypeNo } = await start();
      const purchase = aPurchase();
      await demo.post("/order.json", purchase);
      const { code, msg } = await demo.post("/order.json", {
        ...purchase,
        amount: 1,
        goodsTitle: "x",
        serviceTypeNo,
      });
      expect(code).toBe(50002);
      for (const field of ["amount", "goodsTitle", "serviceTypeNo"]) expect(msg).toContain(field);
      expect(msg).not.toContain("attachData");
    });
  });

  describe("amount", () => {
    const spelt = (amount: string) =>
      JSON.stringify(aPurchase()).replace('"amount":600', `"amount":${amount}`);

    it.each(["1", "10000000000"])("accepts %s", async (amount) => {
      const service = await start();
      const text = spelt(amount);
      const answer = await service.demo.postText("/order.json", text);
      expect(answer.code).toBe(0);
      const bizNo = textAt(JSON.parse(text), "bizNo");
      expect((await detail(service.demo, { bizNo, customerIdentity: "customer-1" })).data).toMatchObject({
        amount: Number(amount),
      });
    });

    it.each([
      "0",
      "-0",
      "-1",
      "1.0",
      "1e2",
      "1E2",
      "0.5",
      "1.00000000000000000001",
      "10000000001",
      "9007199254740993",
      "100000000000000000000000",
      '"1"',
      "true",
      "[1]",
      "{}",
    ])("rejects %s", async (amount) => {
      const { demo } = await start();
      expect((await demo.postText("/order.json", spelt(amount))).code).toBe(10004);
    });

    it("counts as missing if it is null", async () => {
      const { demo } = await start();
      const answer = await demo.postText("/order.json", spelt("null"));
      expect(answer).toMatchObject({ code: 10002, msg: "Parameter amount is required" });
    });
  });

  describe("the other fields", () => {
    const post = async (
      start_: StartService,
      changes: Readonly<Record<string, unknown>>,
    ): Promise<ServiceReply> => (await start_()).demo.post("/order.json", aPurchase(changes));

    it.each(["bizNo", "goodsTitle", "payChannel", "amount"])(
      "reports %s as missing if it is null or absent",
      async (field) => {
        for (const value of [null, undefined]) {
          const answer = await post(start, { [field]: value });
          expect(answer).toMatchObject({ code: 10002, msg: `Parameter ${field} is required` });
        }
      },
    );

    it("treats null as an absent optional field, and ignores unknown fields", async () => {
      const nothing = {
        paySource: null,
        payerId: null,
        customerName: null,
        serviceNo: null,
        attachData: null,
        sourceFrom: null,
      };
      const unknown = { discount: 5, nested: { amount: 1 }, "": "x", constructor: 1, toString: null };
      expect((await post(start, { ...nothing, ...unknown })).code).toBe(0);
    });

    it("ignores __proto__ keys", async () => {
      const { demo } = await start();
      const plain = JSON.stringify(aPurchase()).slice(1);
      const harmless = await demo.postText(
        "/order.json",
        `{"__proto__":{"amount":1,"paySource":"H5"},${plain}`,
      );
      expect(membersOf(harmless.data)).toContain("prepayid");
      const without = JSON.stringify({ ...aPurchase(), amount: undefined }).slice(1);
      const missing = await demo.postText("/order.json", `{"__proto__":{"amount":1},${without}`);
      expect(missing).toMatchObject({ code: 10002, msg: "Parameter amount is required" });
      expect(Object.prototype).not.toHaveProperty("amount");
    });

    it.each([
      ["bizNo", "x".repeat(64), "x".repeat(65)],
      ["bizNo", "!~_/?#%&+", "with space"],
      ["bizNo", "b\u007e", "bé"],
      ["goodsTitle", "会".repeat(127), "会".repeat(128)],
      ["goodsTitle", "😀".repeat(127), "a\nb"],
      ["customerIdentity", "c".repeat(64), "c".repeat(65)],
      ["customerName", "名".repeat(64), "名".repeat(65)],
      ["serviceNo", "s".repeat(64), "s".repeat(65)],
      ["payerId", "o".repeat(128), "o".repeat(129)],
      ["payerId", "!~_/?#%&+", "with space"],
    ])("accepts %s of %j and rejects %j", async (field, right, wrong) => {
      expect((await post(start, { [field]: right })).code).toBe(0);
      const refused = await post(start, { [field]: wrong });
      expect(refused.code).toBe(10003);
      expect(refused.msg).toMatch(new RegExp(`^Parameter ${field} `));
    });

    it("rejects half of a surrogate pair", async () => {
      const { demo } = await start();
      const text = JSON.stringify(aPurchase()).replace("Thirty days", "\\ud83d");
      expect((await demo.postText("/order.json", text)).code).toBe(10003);
    });

    it.each(["store_01", "store_16", "others"])("accepts sourceFrom %s", async (sourceFrom) => {
      expect((await post(start, { sourceFrom })).code).toBe(0);
    });

    it.each(["store_00", "store_17", "STORE_01", "other"])("rejects sourceFrom %j", async (sourceFrom) => {
      expect((await post(start, { sourceFrom })).code).toBe(10009);
    });

    it.each([
      ["someone@mail.example", "it must not be an e-mail address"],
      ["13800138000", "it must not be a phone number"],
      ["138 0013 8000", "it must not be a phone number"],
      ["+14155550132", "it must not be a phone number"],
      ["4111111111111111", "it must not be a card number"],
      ["6212-3412-3412-3412-344", undefined],
      ["4111111111111112", undefined],
      ["10000000001", undefined],
      ["138\u200b0013\u200b8000", "phone"],
      ["\u206013800138000", "phone"],
      ["1\u00ad3800138000", "phone"],
      ["+44\u200d20 7946 0018", "phone"],
      ["han.li\u200b@example.com", "e-mail"],
      ["han.li@example\ufeff.com", "e-mail"],
      ["138–0013–8000", "phone"],
      ["tel:13800138000", "phone"],
      ["Kim <kim@example.com>", "e-mail"],
      ["11010519491231002X", "identity card"],
      ["2088102146225135", "an account at WeChat Pay or Alipay"],
      ["oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", "an account at WeChat Pay or Alipay"],
      ["user\u200b-1", undefined],
    ])("reports what kind of personal data customerIdentity %j is", async (customerIdentity, rule) => {
      const { code, msg } = await post(start, { customerIdentity });
      if (rule === undefined) expect(code).toBe(0);
      else expect([code, String(msg).includes(rule)]).toEqual([10008, true]);
    });

    it("rejects the bizNo and the payer as customerIdentity, unless the app may send them", async () => {
      const { enroll, demo } = await start();
      const attempt = aPurchase();
      const repeated = { ...attempt, customerIdentity: attempt.bizNo };
      const refused = await demo.post("/order.json", repeated);
      expect([refused.code, refused.msg]).toEqual([10008, expect.stringContaining("must not be the bizNo")]);
      const payer = aPurchase({ paySource: "JSAPI", payerId: "payer-1", customerIdentity: "payer-1" });
      expect((await demo.post("/order.json", payer)).code).toBe(10008);
      const unchecked = await enroll({ identityChecks: NO_CHECK });
      expect((await unchecked.post("/order.json", repeated)).code).toBe(0);
      expect((await unchecked.post("/order.json", payer)).code).toBe(0);
    });

    it("returns an existing order whose customerIdentity the app may no longer send", async () => {
      const { enroll, ports } = await start();
      const caller = await enroll({ identityChecks: NO_CHECK });
      const customerIdentity = "138–0013–8000";
      const purchase = aPurchase({ customerIdentity });
      const { data } = await caller.post("/order.json", purchase);
      await expectOk(setAppRules(ports, caller.appId, { identityChecks: { phone: true } }));
      await expect
        .poll(async () => (await caller.post("/order.json", aPurchase({ customerIdentity }))).code)
        .toBe(10008);
      const again = await caller.post("/order.json", purchase);
      expect([again.code, again.data]).toEqual([0, data]);
      const other = { ...purchase, customerIdentity: "13900139000" };
      expect((await caller.post("/order.json", other)).code).toBe(10008);
      const query = { bizNo: purchase.bizNo, customerIdentity };
      expect((await caller.get("/detail.json", query)).code).toBe(0);
    });

    it.each([" ", "\u3000", "\u200b", "\u00ad\u2060", "\u3164", "\u2800", "\u00a0\ufe0f"])(
      "rejects a customerIdentity and a goodsTitle that shows nothing: %j",
      async (text) => {
        for (const field of ["customerIdentity", "goodsTitle"]) {
          const { code, msg } = await post(start, { [field]: text });
          expect([code, msg]).toEqual([10003, `Parameter ${field} must contain a visible character`]);
        }
      },
    );
  });
}
