import {
  authenticateCaller,
  configurePayTool,
  createOrder,
  createOrderInput,
  createServiceType,
  parseInput,
} from "@tillkit/core";
import { disableApp, enableApp } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import { at, listAt } from "../../support/http/json.js";
import { aPurchase, type PurchaseBody, toolOf } from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

/** Tests programs that call the functions of the core directly, without HTTP. */
export function embeddingContract(start: StartService): void {
  const order = ({ ports, demo }: Service, purchase: PurchaseBody) =>
    parseInput(createOrderInput(ports.policy), purchase).asyncAndThen((input) =>
      createOrder(ports, demo.appId, input),
    );

  describe("a disabled app", () => {
    it("cannot create or repeat an order, or configure anything, in a direct call", async () => {
      const service = await start();
      const { ports, demo, serviceTypeNo } = service;
      const stored = aPurchase();
      await expectOk(order(service, stored));
      const {
        id: _id,
        appId: _app,
        signStatus: _sign,
        gmtCreate: _made,
        gmtModified: _at,
        ...tool
      } = await toolOf(service, "WALLET_A");
      await expectOk(disableApp(ports, demo.appId));
      const fresh = aPurchase();
      const refused = await Promise.all([
        expectFailure(order(service, fresh)),
        expectFailure(order(service, stored)),
        expectFailure(order(service, aPurchase({ serviceTypeNo }))),
        expectFailure(configurePayTool(ports, demo.appId, { ...tool, credentials: { key: "k" } })),
        expectFailure(
          createServiceType(ports, demo.appId, { serviceTypeNo: "svt-x", serviceName: "X", durationMs: 1 }),
        ),
        expectFailure(authenticateCaller(ports, demo)),
      ]);
      const named = {
        name: "credentials.invalid",
        detail: `No enabled app has the id '${demo.appId}'.`,
      };
      expect(refused).toEqual([named, named, named, named, named, { name: "credentials.invalid" }]);
      expect(await expectOk(ports.orders.find({ appId: demo.appId, bizNo: fresh.bizNo }))).toBeUndefined();
      await expectOk(enableApp(ports, demo.appId));
      await expectOk(order(service, fresh));
    });
  });

  describe("a pay tool", () => {
    it.each([[["one thing is wrong"]], [["one thing is wrong", "and another"]]])(
      "with the problems %j is not ready, and accepts no order",
      async (problems) => {
        const service = await start();
        const { ports, demo } = service;
        const {
          id: _id,
          appId: _app,
          signStatus: _sign,
          gmtCreate: _made,
          gmtModified: _at,
          ...tool
        } = await toolOf(service, "WALLET_A");
        const checkAccount = async () =>
          problems.map((text) => ({ code: "other", field: "key", message: { en: text, zh: text } }) as const);
        const wallet = { ...ports.wallets.WALLET_A, checkAccount };
        const troubled = { ...ports, wallets: { ...ports.wallets, WALLET_A: wallet } };
        const input = { ...tool, credentials: { key: "k" } };
        const configured = await expectOk(configurePayTool(troubled, demo.appId, input));
        expect(configured).toMatchObject({ problems, payTool: { signStatus: "NO" } });
        const tools = await demo.get("/payTools.json");
        expect(listAt(tools.data).map((one) => [at(one, "payChannel"), at(one, "signStatus")])).toEqual([
          ["WALLET_A", "NO"],
          ["WALLET_B", "OK"],
        ]);
        expect((await demo.post("/order.json", aPurchase())).code).toBe(70003);
        const mended = await expectOk(configurePayTool(ports, demo.appId, input));
        expect(mended).toMatchObject({ problems: [], payTool: { signStatus: "OK" } });
        expect((await demo.post("/order.json", aPurchase())).code).toBe(0);
      },
    );
  });
}
