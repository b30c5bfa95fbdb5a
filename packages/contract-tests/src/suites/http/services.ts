import { PAY_CHANNELS } from "@tillkit/core";
import { renameServiceType, restoreServiceType, retireServiceType } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS, DAY } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import type { Caller } from "../../support/http/caller.js";
import { at, listAt, textAt } from "../../support/http/json.js";
import { aPurchase, created, deliver, notificationOf, paid, refund } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const MONTH = 30 * DAY;

/** Tests customers' timed services: purchase, extension, withdrawal and list. */
export function servicesContract(start: StartService): void {
  const list = (caller: Caller, customerIdentity = "customer-1") =>
    caller.get(`/customerServiceMgmt/${encodeURIComponent(customerIdentity)}.json`);
  const expiry = async (caller: Caller) =>
    at(listAt((await list(caller)).data, "customerServiceList")[0], "expireTime");

  describe.each(PAY_CHANNELS)("an order over %s with a service type", (payChannel) => {
    it("extends the customer's service when it becomes PAID, and only once", async () => {
      const service = await start();
      const { demo, host, serviceTypeNo } = service;
      const order = await created(
        service,
        demo,
        aPurchase({ payChannel, serviceTypeNo, serviceNo: "vip-1" }),
      );
      expect((await list(demo)).data).toMatchObject({ totalCount: 0, customerServiceList: [] });
      await paid(service, order);
      const expireTime = host.clock.now() + MONTH;
      for (let repeats = 0; repeats < 3; repeats += 1) {
        host.clock.advance(1_000);
        await deliver(service, order, notificationOf(service, order));
      }
      const answer = await list(demo);
      expect(answer.json).toEqual({
        code: 0,
        msg: "success",
        data: {
          totalCount: 1,
          customerServiceList: [{ serviceNo: "vip-1", serviceName: "Member", expireTime }],
          serverTime: host.clock.now(),
        },
      });
    });

    it("revokes the service time with a full refund, and not with a partial refund", async () => {
      const service = await start();
      const { demo, host, serviceTypeNo } = service;
      const first = await created(service, demo, aPurchase({ payChannel, serviceTypeNo }));
      const second = await created(service, demo, aPurchase({ payChannel, serviceTypeNo }));
      await paid(service, first);
      await paid(service, second);
      const now = host.clock.now();
      expect(await expiry(demo)).toBe(now + 2 * MONTH);
      await expectOk(refund(service, first.bizNo, 100));
      expect(await expiry(demo)).toBe(now + 2 * MONTH);
      await expectOk(refund(service, first.bizNo));
      expect(await expiry(demo)).toBe(now + MONTH);
      await expectOk(refund(service, second.bizNo));
      expect(await expiry(demo)).toBe(now);
    });
  });

  it("add up their times: new time starts at the end of the remaining time, or now if none is left", async () => {
    const service = await start();
    const { demo, host, serviceTypeNo } = service;
    const buy = async () => paid(service, await created(service, demo, aPurchase({ serviceTypeNo })));
    await buy();
    const begun = host.clock.now();
    host.clock.advance(10 * DAY);
    await buy();
    expect(await expiry(demo)).toBe(begun + 2 * MONTH);
    host.clock.advance(3 * MONTH);
    await buy();
    expect(await expiry(demo)).toBe(host.clock.now() + MONTH);
  });

  it("are listed after they have expired, each with its own number", async () => {
    const service = await start();
    const { demo, host, serviceTypeNo } = service;
    await paid(service, await created(service, demo, aPurchase({ serviceTypeNo })));
    host.clock.advance(2 * MONTH);
    const { data } = await list(demo);
    expect(data).toMatchObject({ totalCount: 1, serverTime: host.clock.now() });
    const [only] = listAt(data, "customerServiceList");
    expect(textAt(only, "serviceNo")).not.toBe("");
    expect(at(only, "expireTime")).toBe(host.clock.now() - MONTH);
  });

  it("are found by the identity in the path, for any characters", async () => {
    const service = await start();
    const { demo, serviceTypeNo } = service;
    const identities = ["a+b", "a b", "a/b", "Ab", "a=b", "50%", "会员", "a&b=c", "x.json", "?#", "%41"];
    for (const customerIdentity of identities) {
      await paid(service, await created(service, demo, aPurchase({ serviceTypeNo, customerIdentity })));
    }
    for (const customerIdentity of identities) {
      expect((await list(demo, customerIdentity)).data).toMatchObject({ totalCount: 1 });
    }
    for (const unknown of ["A", "ab"])
      expect((await list(demo, unknown)).data).toMatchObject({ totalCount: 0 });
  });

  it("of a retired type are not sold, and open orders and existing services continue", async () => {
    const service = await start();
    const { demo, ports, serviceTypeNo } = service;
    await paid(service, await created(service, demo, aPurchase({ serviceTypeNo })));
    const open = aPurchase({ serviceTypeNo });
    const order = await created(service, demo, open);
    await expectOk(retireServiceType(ports, demo.appId, serviceTypeNo));
    const refused = aPurchase({ serviceTypeNo });
    expect((await demo.post("/order.json", refused)).code).toBe(70006);
    expect(await expectOk(ports.orders.find({ appId: demo.appId, bizNo: refused.bizNo }))).toBeUndefined();
    expect((await demo.post("/order.json", open)).code).toBe(0);
    const before = Number(await expiry(demo));
    await paid(service, order);
    expect(await expiry(demo)).toBe(before + MONTH);
    await expectOk(restoreServiceType(ports, demo.appId, serviceTypeNo));
    expect((await demo.post("/order.json", refused)).code).toBe(0);
  });

  it("of a renamed type keep the name under which they were sold", async () => {
    const service = await start();
    const { demo, ports, serviceTypeNo } = service;
    const name = async (customer: string) =>
      textAt(listAt((await list(demo, customer)).data, "customerServiceList")[0], "serviceName");
    await paid(service, await created(service, demo, aPurchase({ serviceTypeNo })));
    const sold = await name("customer-1");
    await expectOk(renameServiceType(ports, demo.appId, serviceTypeNo, "Premium"));
    await paid(service, await created(service, demo, aPurchase({ serviceTypeNo })));
    expect(await name("customer-1")).toBe(sold);
    const customerIdentity = "customer-2";
    await paid(service, await created(service, demo, aPurchase({ serviceTypeNo, customerIdentity })));
    expect(await name(customerIdentity)).toBe("Premium");
  });

  it(`are sold or refused to ${CONCURRENT_CALLERS} orders during a retirement, and refused after it`, async () => {
    const { demo, ports, serviceTypeNo } = await start();
    const purchases = Array.from({ length: CONCURRENT_CALLERS }, () => aPurchase({ serviceTypeNo }));
    const [retired, ...replies] = await Promise.all([
      retireServiceType(ports, demo.appId, serviceTypeNo),
      ...purchases.map((purchase) => demo.post("/order.json", purchase)),
    ]);
    expect(retired.isOk()).toBe(true);
    for (const [nth, { code }] of replies.entries()) {
      const bizNo = purchases[nth]?.bizNo ?? "";
      const stored = await expectOk(ports.orders.find({ appId: demo.appId, bizNo }));
      expect([0, 70006]).toContain(code);
      expect(stored !== undefined).toBe(code === 0);
    }
    for (const purchase of purchases)
      expect([0, 70006]).toContain((await demo.post("/order.json", purchase)).code);
    const later = await Promise.all(
      purchases.map(() => demo.post("/order.json", aPurchase({ serviceTypeNo }))),
    );
    expect(later.map(({ code }) => code)).toEqual(purchases.map(() => 70006));
  });

  it("require a known type and a customer", async () => {
    const { demo, device, serviceTypeNo } = await start();
    expect((await demo.post("/order.json", aPurchase({ serviceTypeNo: "svt-none" }))).code).toBe(70004);
    expect((await device.post("/order.json", aPurchase({ serviceTypeNo }))).code).toBe(70004);
    const anonymous = aPurchase({ serviceTypeNo, customerIdentity: undefined });
    expect((await device.post("/order.json", anonymous)).code).toBe(10002);
  });
}
