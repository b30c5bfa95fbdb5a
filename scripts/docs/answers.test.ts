import {
  businessDay,
  configurePayTool,
  createApp,
  createDownloadsClient,
  createServiceType,
  type PayChannel,
  PAY_CHANNELS,
  PAY_SOURCES,
} from "@tillkit/core";
import { metricsSurface, paymentsRoutes, paymentsSurface } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ANSWERS, METRICS_ERROR, METRICS_SUCCESS } from "./answers.js";

interface Call {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A service with one app that can take payments on both channels. */
async function aService() {
  const ports = memoryPorts();
  const { app, appSecret } = (await createApp(ports, { name: "Docs" }))._unsafeUnwrap();
  for (const payChannel of PAY_CHANNELS) {
    (await configurePayTool(ports, app.appId, payTool(payChannel)))._unsafeUnwrap();
  }
  const { serviceTypeNo } = (
    await createServiceType(ports, app.appId, {
      serviceTypeNo: "month",
      serviceName: "A month",
      durationMs: 1_000,
    })
  )._unsafeUnwrap();
  const surface = paymentsSurface(ports);
  const ask = async (method: string, path: string, { query = {}, body }: Call = {}): Promise<unknown> => {
    const reply = await surface.handle({
      method,
      path,
      query: new URLSearchParams(query).toString(),
      headers: new Headers({ app_id: app.appId, app_secret: appSecret }),
      body: new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
    });
    return JSON.parse(reply.body);
  };
  return { ports, appId: app.appId, serviceTypeNo, ask };
}

function payTool(payChannel: PayChannel) {
  const registered = { appName: "Docs", appPackageName: "example.docs", appSignature: "0a1b2c" };
  return {
    payChannel,
    appEnv: "DEV",
    accountId: "1900000001",
    walletAppId: "app-1",
    credentials: {},
    ...registered,
  } as const;
}

/** The success envelope that the reference promises for a path; unknown members are not in it. */
function promised(path: string) {
  const { data, extra } = ANSWERS.get(path) ?? { data: z.never(), extra: {} };
  return z.strictObject({ code: z.literal(0), msg: z.literal("success"), data, ...extra });
}

const order = {
  bizNo: "b-1",
  customerIdentity: "u-1",
  amount: 600,
  goodsTitle: "A month",
  payChannel: "WALLET_A",
};

describe("what the reference says of a success", () => {
  it("is said of every route", () => {
    expect([...ANSWERS.keys()]).toEqual(paymentsRoutes.map(({ path }) => path));
  });

  it("is what /payTools.json answers", async () => {
    const { ask } = await aService();
    const { data } = promised("/payTools.json").parse(await ask("GET", "/payTools.json"));
    expect(data).toHaveLength(2);
  });

  for (const payChannel of PAY_CHANNELS) {
    for (const paySource of PAY_SOURCES.filter((one) => one !== "PC" || payChannel !== "WALLET_A")) {
      it(`is what /order.json answers for ${payChannel} ${paySource}`, async () => {
        const { ask } = await aService();
        const answer = promised("/order.json").parse(
          await ask("POST", "/order.json", {
            body: { ...order, payChannel, paySource, payerId: "2088102146225135" },
          }),
        );
        expect(Object.hasOwn(answer, "message")).toBe(payChannel === "WALLET_B");
      });
    }
  }

  it("is what the queries answer, with every field filled and with none", async () => {
    const { ask, ports, appId, serviceTypeNo } = await aService();
    const full = {
      ...order,
      serviceTypeNo,
      serviceNo: "s-1",
      customerName: "A customer",
      sourceFrom: "store_01",
      attachData: '{"product":7}',
    };
    await ask("POST", "/order.json", { body: full });
    await ask("POST", "/order.json", { body: { ...order, bizNo: "b-2", attachData: "text" } });
    await ask("POST", "/order.json", { body: { ...order, bizNo: "b-3" } });
    const held = (await ports.orders.find({ appId, bizNo: "b-1" }))._unsafeUnwrap();
    ports.wallets.WALLET_A.pay(held?.id ?? "");
    const query = { bizNo: "b-1", customerIdentity: "u-1" };
    const detail = promised("/detail.json").parse(await ask("GET", "/detail.json", { query }));
    expect(detail.data).toMatchObject({ paymentStatus: "PAID", attachData: { product: 7 } });
    const history = promised("/history.json").parse(
      await ask("GET", "/history.json", { query: { customerIdentity: "u-1" } }),
    );
    expect(history.data).toMatchObject({ totalCount: 3 });
    const services = promised("/customerServiceMgmt/{customerIdentity}.json").parse(
      await ask("GET", "/customerServiceMgmt/u-1.json"),
    );
    expect(services.data).toMatchObject({ totalCount: 1 });
  });

  it("is what the session endpoints answer", async () => {
    const { ask, ports } = await aService();
    const mobileNo = "13800138000";
    promised("/sms.json").parse(await ask("GET", "/sms.json", { query: { mobileNo } }));
    const authCode = ports.smsSender.messages.at(-1)?.authCode;
    const { data } = promised("/auth.json").parse(
      await ask("POST", "/auth.json", { body: { mobileNo, authCode } }),
    );
    const { token } = z.object({ token: z.string() }).parse(data);
    const check = promised("/checkAuth.json").parse(
      await ask("GET", "/checkAuth.json", { query: { token } }),
    );
    expect(check.data).toBe(true);
  });
});

describe("what the reference says of a downloads report", () => {
  it("is what both versions answer, with a report and with an error", async () => {
    const { ports, appId } = await aService();
    const { date } = businessDay(ports.policy.timeZone, ports.clock.now());
    (
      await ports.downloads.upsert([
        [{ appId, store: "store_01", date, newDownloads: 40, updateDownloads: 2 }],
      ])
    )._unsafeUnwrap();
    const { clientId } = (await createDownloadsClient(ports, { appId, dailyLimit: 1 }))._unsafeUnwrap();
    const surface = metricsSurface(ports);
    const ask = async (path: string): Promise<unknown> => {
      const query = `id=${clientId}&start=${date}&end=${date}`;
      const reply = await surface.handle({
        method: "GET",
        path,
        query,
        headers: new Headers(),
        body: new Uint8Array(),
      });
      return JSON.parse(reply.body);
    };
    const report = METRICS_SUCCESS.parse(await ask("/misc/v2/downloads-api"));
    expect(report.data.downloadsData.downloads.map(({ totalDownloads }) => totalDownloads)).toEqual([42, 42]);
    const refused = METRICS_ERROR.parse(await ask("/misc/downloads-api"));
    expect(refused.data).toMatchObject({ errorCode: "DAILY_LIMIT_REACHED", remainingToday: 0 });
  });
});
