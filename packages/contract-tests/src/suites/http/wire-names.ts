import {
  createOrder,
  createOrderInput,
  defaultPolicy,
  PAY_CHANNELS,
  parseInput,
  policyWith,
} from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { expectOk } from "../../support/open-before-each.js";
import { at, listAt } from "../../support/http/json.js";
import { aPurchase, created, detail, paid, storedOrder } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const NAMES = { WALLET_A: "messenger-pay", WALLET_B: "payer" } as const;
const { sourceFromTokens, payChannelNames } = policyWith({
  sourceFromTokens: ["huawei", "xiaomi", "小米商店"],
  payChannelNames: NAMES,
});

/** Tests a host that gives the channels and the stores other names on the wire. */
export function wireNamesContract(start: StartService): void {
  const startRenamed = () => start({ policy: { sourceFromTokens, payChannelNames } });

  describe.each(PAY_CHANNELS)("a renamed %s", (payChannel) => {
    const name = NAMES[payChannel];

    it("is accepted in a new order and its repetition, and used in every answer", async () => {
      const service = await startRenamed();
      const { demo } = service;
      const purchase = aPurchase({ payChannel: name, sourceFrom: "小米商店" });
      const first = await demo.post("/order.json", purchase);
      expect(first.json).toMatchObject({ code: 0, msg: "success" });
      const again = await demo.post("/order.json", purchase);
      expect([again.code, again.data]).toEqual([0, first.data]);
      // The interface promises `message` for the second channel, whatever its name.
      expect(at(again.json, "message")).toBe(payChannel === "WALLET_B" ? "success" : undefined);

      const order = await storedOrder(service, demo, purchase.bizNo);
      expect(order).toMatchObject({ payChannel, sourceFrom: "小米商店" });
      const shown = { bizNo: purchase.bizNo, payChannel: name, sourceFrom: "小米商店" };
      expect((await detail(demo, order)).data).toMatchObject({ ...shown, paymentStatus: "PENDING" });
      await paid(service, order);
      expect((await detail(demo, order)).data).toMatchObject({ ...shown, paymentStatus: "PAID" });
      const history = await demo.get("/history.json", { customerIdentity: order.customerIdentity });
      expect(listAt(history.data, "payOrderList")).toMatchObject([{ ...shown, paymentStatus: "PAID" }]);
    });

    it("is not accepted under its default name, which no answer contains", async () => {
      const service = await startRenamed();
      const { demo } = service;
      const purchase = aPurchase({ payChannel: name });
      await created(service, demo, purchase);
      for (const wrong of [payChannel, name.toUpperCase(), `${name} `, ""]) {
        for (const bizNo of [purchase.bizNo, `${purchase.bizNo}-new`]) {
          const answer = await demo.post("/order.json", { ...purchase, bizNo, payChannel: wrong });
          expect(answer).toMatchObject({
            code: 10005,
            msg: "Parameter payChannel must be messenger-pay or payer",
          });
        }
      }
      expect((await demo.post("/order.json", { ...purchase, payChannel: null })).code).toBe(10002);
    });

    it("is a conflict if a repeated creation names the other channel", async () => {
      const service = await startRenamed();
      const { demo } = service;
      const purchase = aPurchase({ payChannel: name });
      const order = await created(service, demo, purchase);
      const other = NAMES[payChannel === "WALLET_A" ? "WALLET_B" : "WALLET_A"];
      const answer = await demo.post("/order.json", { ...purchase, payChannel: other });
      expect(answer).toMatchObject({
        code: 50002,
        msg: "bizNo is already used by an order with a different payChannel",
      });
      expect(await storedOrder(service, demo, purchase.bizNo)).toEqual(order);
    });
  });

  it("lists the pay tools under the names of their channels", async () => {
    const { demo } = await startRenamed();
    const tools = listAt((await demo.get("/payTools.json")).data);
    expect(tools.map((tool) => at(tool, "payChannel")).sort()).toEqual(Object.values(NAMES).sort());
  });

  it("uses the host's channel name in messages", async () => {
    const { demo, host } = await startRenamed();
    host.wallets.WALLET_A.failNext("prepare", { name: "wallet.unknown", cause: "timeout", detail: "" });
    const answer = await demo.post("/order.json", aPurchase({ payChannel: NAMES.WALLET_A }));
    expect(answer).toMatchObject({
      code: 30002,
      msg: "messenger-pay does not respond; retry with the same bizNo",
    });
  });

  it("accepts the stores of the policy and `others`, but no store of the default policy", async () => {
    const { demo } = await startRenamed();
    const post = (sourceFrom: string) =>
      demo.post("/order.json", aPurchase({ payChannel: NAMES.WALLET_A, sourceFrom }));
    for (const token of [...sourceFromTokens, "others", ""]) expect((await post(token)).code, token).toBe(0);
    for (const token of ["store_01", "Huawei", "OTHERS", "huawei "]) {
      const answer = await post(token);
      expect(answer).toMatchObject({
        code: 10009,
        msg: "Parameter sourceFrom must be one of huawei, xiaomi, 小米商店, others",
      });
    }
  });

  it("still shows the store and the channel of an order that was created under other names", async () => {
    const service = await startRenamed();
    const { demo, ports } = service;
    const before = { ...ports, policy: defaultPolicy };
    const old = aPurchase({ payChannel: "WALLET_B", sourceFrom: "store_03" });
    await expectOk(
      parseInput(createOrderInput(defaultPolicy), old).asyncAndThen((input) =>
        createOrder(before, demo.appId, input),
      ),
    );
    const order = await storedOrder(service, demo, old.bizNo);
    expect((await detail(demo, order)).data).toMatchObject({
      payChannel: NAMES.WALLET_B,
      sourceFrom: "store_03",
    });
    const read = await storedOrder(service, demo, old.bizNo);
    const repeated = { ...old, payChannel: NAMES.WALLET_B };
    expect((await demo.post("/order.json", repeated)).code).toBe(10009);
    expect(await storedOrder(service, demo, old.bizNo)).toEqual(read);
  });

  it("keeps WALLET_A and WALLET_B for programs that call the core directly", async () => {
    const { demo, ports } = await startRenamed();
    const schema = createOrderInput(ports.policy);
    const { order } = await expectOk(
      parseInput(schema, aPurchase()).asyncAndThen((input) => createOrder(ports, demo.appId, input)),
    );
    expect(order.payChannel).toBe("WALLET_A");
    expect(parseInput(schema, aPurchase({ payChannel: NAMES.WALLET_A })).isErr()).toBe(true);
  });
}
