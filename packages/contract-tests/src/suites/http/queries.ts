import { describe, expect, it } from "vitest";
import type { Caller } from "../../support/http/caller.js";
import { at, listAt, textAt } from "../../support/http/json.js";
import { lastCode, loggedIn } from "../../support/http/logins.js";
import { aPurchase, created, detail, paid } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** Tests who may read which orders, and their sort order. */
export function queriesContract(start: StartService): void {
  describe("/detail.json", () => {
    it("returns the same bytes for an unknown bizNo, another customer's and another app's", async () => {
      const service = await start();
      const { bizNo, customerIdentity } = await created(service, service.demo, aPurchase());
      const answers = await Promise.all([
        service.demo.get("/detail.json", { bizNo: `${bizNo}-x`, customerIdentity }),
        service.demo.get("/detail.json", { bizNo, customerIdentity: "customer-2" }),
        service.demo.get("/detail.json", { bizNo, customerIdentity: "" }),
        service.demo.get("/detail.json", { bizNo: bizNo.toUpperCase(), customerIdentity }),
        service.second.get("/detail.json", { bizNo, customerIdentity }),
      ]);
      const bare = answers.map(({ status, text, traceId, headers }) => {
        const kept = [...headers].filter(([name]) => !["x-trace-id", "date"].includes(name));
        return { status, kept, text: text.replace(String(traceId), "") };
      });
      for (const one of bare) expect(one).toEqual(bare[0]);
      expect(bare[0]?.text).toBe('{"code":50001,"msg":"Order not found","traceId":""}');
    });

    it("finds an order without an identity by an empty identity, for an app without accounts", async () => {
      const service = await start();
      const { device } = service;
      const { bizNo } = await created(service, device, aPurchase({ customerIdentity: undefined }));
      const answer = await device.get("/detail.json", { bizNo, customerIdentity: "" });
      expect(answer).toMatchObject({ code: 0, data: { bizNo, paymentStatus: "PENDING" } });
      expect((await device.get("/detail.json", { bizNo })).data).toEqual(answer.data);
      expect((await device.get("/detail.json", { bizNo, customerIdentity: "customer-1" })).code).toBe(50001);
    });

    it("does not find an order with an identity if an app without accounts sends no identity", async () => {
      const service = await start();
      const { device } = service;
      const { bizNo } = await created(service, device, aPurchase());
      expect((await device.get("/detail.json", { bizNo })).code).toBe(50001);
      expect((await device.get("/detail.json", {})).msg).toBe("Parameter bizNo is required");
    });

    it("requires both parameters from an app with accounts", async () => {
      const service = await start();
      const { demo } = service;
      const { bizNo } = await created(service, demo, aPurchase());
      expect((await demo.get("/detail.json", { bizNo })).code).toBe(10002);
      const missing = async (query: Readonly<Record<string, string>>) => {
        const { code, msg } = await demo.get("/detail.json", query);
        return [code, msg];
      };
      expect(await missing({ customerIdentity: "c" })).toEqual([10002, "Parameter bizNo is required"]);
      expect(await missing({ bizNo: "", customerIdentity: "c" })).toEqual([
        10002,
        "Parameter bizNo is required",
      ]);
      expect(await missing({ bizNo: "b" })).toEqual([10002, "Parameter customerIdentity is required"]);
    });
  });

  describe("/history.json", () => {
    const bizNosOf = (data: unknown) => listAt(data, "payOrderList").map((order) => textAt(order, "bizNo"));

    it("lists newest first, also within one millisecond, and pages without gaps or repetitions", async () => {
      const service = await start();
      const { demo, host } = service;
      const bizNos: string[] = [];
      for (let made = 0; made < 23; made += 1) {
        bizNos.unshift((await created(service, demo, aPurchase())).bizNo);
        if (made % 3 === 0) host.clock.advance(1);
      }
      const read = async (query: Readonly<Record<string, string>>) => {
        const { data } = await demo.get("/history.json", { customerIdentity: "customer-1", ...query });
        expect(at(data, "totalCount")).toBe(23);
        return listAt(data, "payOrderList");
      };
      const usual = await read({});
      expect(usual).toHaveLength(20);
      const all = await read({ pageSize: "100" });
      expect(new Set(bizNosOf({ payOrderList: all }))).toEqual(new Set(bizNos));
      const keys = all.map((order) => [at(order, "gmtCreate"), at(order, "id")] as const);
      const sorted = keys.toSorted(([leftAt, leftId], [rightAt, rightId]) =>
        leftAt === rightAt ? (String(leftId) < String(rightId) ? 1 : -1) : Number(rightAt) - Number(leftAt),
      );
      expect(keys).toEqual(sorted);
      const pages: unknown[] = [];
      for (const pageNum of ["1", "2", "3", "4"]) pages.push(...(await read({ pageNum, pageSize: "7" })));
      expect(pages).toEqual(all);
      expect(await read({ pageNum: "5", pageSize: "7" })).toEqual([]);
      expect(await read({ pageNum: "2" })).toEqual(all.slice(20));
    });

    it("filters by status and counts the matching orders", async () => {
      const service = await start();
      const { demo } = service;
      const open = await created(service, demo, aPurchase());
      const done = await created(service, demo, aPurchase());
      await paid(service, done);
      await created(service, demo, aPurchase({ customerIdentity: "customer-2" }));
      const list = async (paymentStatus: string) => {
        const { data } = await demo.get("/history.json", { customerIdentity: "customer-1", paymentStatus });
        return { bizNos: bizNosOf(data), totalCount: at(data, "totalCount") };
      };
      expect(await list("PAID")).toEqual({ bizNos: [done.bizNo], totalCount: 1 });
      expect(await list("PENDING")).toEqual({ bizNos: [open.bizNo], totalCount: 1 });
      expect((await list("")).totalCount).toBe(2);
      for (const other of ["CLOSE", "paid", "SUCCESS", "' or 1=1 --"]) {
        expect(await list(other)).toEqual({ bizNos: [], totalCount: 0 });
      }
    });

    it("returns the same records as /detail.json", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ attachData: '{"b":1,"a":2}' }));
      await paid(service, order);
      const one = await detail(service.demo, order);
      const list = await service.demo.get("/history.json", { customerIdentity: order.customerIdentity });
      expect(at(list.data, "payOrderList")).toEqual([one.data]);
    });

    it.each(["0", "-1", "1.5", "x", "", " 1", "1e1", "99999999999"])(
      "rejects the page number %j",
      async (pageNum) => {
        const { demo } = await start();
        const answer = await demo.get("/history.json", { customerIdentity: "customer-1", pageNum });
        expect(answer.code).toBe(10012);
      },
    );

    it.each(["0", "101", "-5", "ten"])("rejects the page size %j", async (pageSize) => {
      const { demo } = await start();
      expect((await demo.get("/history.json", { customerIdentity: "customer-1", pageSize })).code).toBe(
        10012,
      );
    });
  });

  describe("another app", () => {
    it("sees no data of the first app on any endpoint, and can use the same bizNo and phone number", async () => {
      const service = await start();
      const { demo, second, serviceTypeNo } = service;
      const order = await created(service, demo, aPurchase({ serviceTypeNo }));
      await paid(service, order);
      const { token } = await loggedIn(service, demo, "13800138000");

      expect((await detail(second, order)).code).toBe(50001);
      const { data: history } = await second.get("/history.json", {
        customerIdentity: order.customerIdentity,
      });
      expect(history).toEqual({ payOrderList: [], totalCount: 0 });
      const services = `/customerServiceMgmt/${order.customerIdentity}.json`;
      expect((await second.get(services)).data).toMatchObject({ totalCount: 0, customerServiceList: [] });
      expect((await second.get("/checkAuth.json", { token })).data).toBe(false);
      expect((await demo.get("/checkAuth.json", { token })).data).toBe(true);

      const own = await created(service, second, aPurchase({ bizNo: order.bizNo, amount: 1 }));
      expect(own.id).not.toBe(order.id);
      expect((await detail(demo, order)).data).toMatchObject({ amount: 600, paymentStatus: "PAID" });
      expect((await detail(second, own)).data).toMatchObject({ amount: 1, paymentStatus: "PENDING" });

      const toolsOf = async (caller: Caller) => listAt((await caller.get("/payTools.json")).data);
      const ids = [...(await toolsOf(demo)), ...(await toolsOf(second))].map((tool) => at(tool, "id"));
      expect(new Set(ids).size).toBe(4);

      // Each app has its own messages per day and its own codes.
      for (let sent = 1; sent < 5; sent += 1) await demo.get("/sms.json", { mobileNo: "13800138000" });
      expect((await demo.get("/sms.json", { mobileNo: "13800138000" })).code).toBe(10022);
      const authCode = lastCode(service);
      expect((await second.post("/auth.json", { mobileNo: "13800138000", authCode })).code).toBe(10020);
      expect((await second.get("/sms.json", { mobileNo: "13800138000" })).code).toBe(0);
    });
  });
}
