import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurePayTool, createApp, getOrder, orThrow, type ServiceEvent } from "@tillkit/core";
import { nodeListener } from "@tillkit/node";
import { pgClient, transactionalHandler } from "@tillkit/postgres";
import { createKeyring } from "@tillkit/runtime";
import { okAsync } from "neverthrow";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { listen } from "./http/http-server.js";
import { openTillkit } from "./open-tillkit.js";
import { callerOf } from "./rehearsal/caller.js";
import { dropDatabase } from "./rehearsal/create-database.js";
import { prepare, type Prepared } from "./rehearsal/prepare.js";

const ordered = z.object({ data: z.object({ biz_content: z.string() }) });
const terms = z.object({ out_trade_no: z.string() });

let folder: string;
let prepared: Prepared;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-server-"));
  prepared = await prepare(inject("databaseUrl"), folder);
  environment = {
    ...prepared.environment,
    // The host writes its log to the standard output.
    LOG_LEVEL: "error",
    // Other tests may keep the machine busy.
    PROBE_DEADLINE_MS: "15000",
  };
});
afterAll(async () => {
  await prepared.clean();
  await dropDatabase(inject("databaseUrl"), prepared.ownerUrl);
  await rm(folder, { recursive: true });
});

async function serve(listener: RequestListener) {
  const server = await listen(listener, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return { address: `http://127.0.0.1:${server.port}`, server };
}

it("gives the host's own server the same surfaces as serveTillkit, and stops it in order", async () => {
  const received: string[] = [];
  const observed: ServiceEvent["type"][] = [];
  const runOwnTask = vi.fn(() => okAsync({ more: false }));
  const { tillkit, ports, surfaces, admin, stop } = await openTillkit({
    environment,
    eventHandlers: [{ name: "shop", handle: async ({ type, bizNo }) => received.push(`${type} ${bizNo}`) }],
    backgroundTasks: { accounting: { step: runOwnTask, everyMs: 600_000 } },
    observer: { onEvent: ({ type }) => void observed.push(type) },
    admitSms: async () => false,
    smsSender: { send: () => okAsync(undefined) },
  });
  tillkit.start();
  await tillkit.runNow("events:shop");
  const api = await serve(nodeListener(surfaces));
  const { address: operators } = await serve(admin);
  const caller = callerOf(api.address, prepared);
  const order = { bizNo: "own-1", amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
  const made = ordered.parse(await caller.post("/order.json", { ...order, customerIdentity: "user-1" }));
  const { out_trade_no: outTradeNo } = terms.parse(JSON.parse(made.data.biz_content));
  await fetch(`${operators}/sandbox/pay`, { method: "POST", body: JSON.stringify({ outTradeNo }) });
  await expect
    .poll(() => caller.get("/detail.json?bizNo=own-1&customerIdentity=user-1"))
    .toMatchObject({ data: { paymentStatus: "PAID" } });
  expect(await caller.get("/sms.json?mobileNo=13800138000")).toMatchObject({ code: 10_022 });
  await vi.waitFor(() => expect(received).toEqual(["order.paid own-1"]));
  await tillkit.runNow("accounting");
  expect(runOwnTask).toHaveBeenCalled();
  expect(observed).toContain("payment.recorded");
  expect((await fetch(`${operators}/health/ready`)).status).toBe(200);
  expect(await (await fetch(`${operators}/metrics`)).text()).toContain(
    'tillkit_requests_total{method="POST",route="/order.json",code="0",status="200"} 1',
  );
  expect((await fetch(`${operators}/dashboard/api/orders`)).status).toBe(401);

  let answered = 0;
  const ended = await stop(async () => {
    expect((await fetch(`${operators}/health/ready`)).status).toBe(503);
    expect(await caller.get("/payTools.json")).toMatchObject({ code: 0 });
    answered += 1;
    await api.server.close();
  });
  expect([ended, answered]).toEqual([{ unfinished: [] }, 1]);
  expect((await ports.apps.find(prepared.appId)).isErr()).toBe(true);
});

it("gives apps the pay tools of the sandbox, with the keys of each start, and changes no other pay tool", async () => {
  // Without a state file, the sandbox has other keys after each start.
  const { SANDBOX_STATE_FILE: _file, ...forgetful } = environment;
  const order = { customerIdentity: "user-1", amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
  const first = await openTillkit({ environment: forgetful });
  const own = await orThrow(createApp(first.ports, { name: "Own" }));
  const other = await orThrow(createApp(first.ports, { name: "Other" }));
  const real = { accountId: "1900000009", walletAppId: "wx-9", appEnv: "PROD", credentials: {} } as const;
  await orThrow(configurePayTool(first.ports, other.app.appId, { ...real, payChannel: "WALLET_A" }));
  await first.stop();

  for (const bizNo of ["sandbox-1", "sandbox-2"]) {
    const { ports, surfaces, sandbox, tillkit, stop } = await openTillkit({ environment: forgetful });
    const server = await serve(nodeListener(surfaces));
    const caller = callerOf(server.address, { appId: own.app.appId, appSecret: own.appSecret });
    const made = ordered.parse(await caller.post("/order.json", { ...order, bizNo }));
    const { out_trade_no: outTradeNo } = terms.parse(JSON.parse(made.data.biz_content));
    // The notification cannot arrive at this host, so Tillkit queries the wallet.
    await sandbox?.simulatorControls.pay(outTradeNo);
    await expect
      .poll(() => caller.get(`/detail.json?bizNo=${bizNo}&customerIdentity=user-1`))
      .toMatchObject({ data: { paymentStatus: "PAID" } });
    expect(await orThrow(ports.payTools.list(other.app.appId))).toMatchObject([
      { payChannel: "WALLET_A", accountId: "1900000009", appEnv: "PROD" },
      { payChannel: "WALLET_B", appEnv: "DEV", signStatus: "OK" },
    ]);
    await tillkit.stop();
    await stop(() => server.server.close());
  }
});

it("gives the pay tools of the sandbox to an app that is created later", async () => {
  const { ports, tillkit, stop } = await openTillkit({ environment });
  tillkit.start();
  const { app } = await orThrow(createApp(ports, { name: "Later" }));
  await tillkit.runNow("sandbox-pay-tools");
  expect(await orThrow(ports.payTools.list(app.appId))).toMatchObject([
    { payChannel: "WALLET_A", signStatus: "OK" },
    { payChannel: "WALLET_B", signStatus: "OK" },
  ]);
  await stop();
});

it("passes the database to event handlers and to the program, which write with the role of the host", async () => {
  const owner = pgClient(new pg.Pool({ connectionString: prepared.ownerUrl, max: 1 }));
  await owner.script("create table public.grants (biz_no text primary key)");
  await owner.script("grant select, insert on public.grants to public");
  await owner.close();
  const { tillkit, ports, sql, schema, sandbox, surfaces, stop } = await openTillkit({
    environment,
    eventHandlers: (database) => [
      transactionalHandler({
        ...database,
        name: "grants",
        types: ["order.paid"],
        handle: async ({ appId, bizNo, customerIdentity }, transaction) => {
          await orThrow(getOrder(ports, appId, { bizNo, customerIdentity }));
          await transaction.query("insert into public.grants (biz_no) values ($1)", [bizNo]);
        },
      }),
    ],
  });
  expect(schema).toBe("tillkit");
  tillkit.start();
  await tillkit.runNow("events:grants");
  const { address, server } = await serve(nodeListener(surfaces));
  const caller = callerOf(address, prepared);
  const order = { bizNo: "granted-1", amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
  const made = ordered.parse(await caller.post("/order.json", { ...order, customerIdentity: "user-1" }));
  await sandbox?.simulatorControls.pay(terms.parse(JSON.parse(made.data.biz_content)).out_trade_no);
  await expect
    .poll(() => caller.get("/detail.json?bizNo=granted-1&customerIdentity=user-1"))
    .toMatchObject({ data: { paymentStatus: "PAID" } });
  await tillkit.runNow("events:grants");
  const grants = { name: "test_grants", text: "select biz_no from public.grants" };
  expect(await sql.query(grants, [])).toEqual([{ biz_no: "granted-1" }]);
  await stop(() => server.close());
});

it("continues if an observer throws", async () => {
  const onEvent = vi.fn(() => {
    throw new Error("broken");
  });
  const { surfaces, stop } = await openTillkit({
    environment,
    observer: { onEvent },
  });
  const { address } = await serve(nodeListener(surfaces));
  expect(await callerOf(address, prepared).get("/payTools.json")).toMatchObject({ code: 0 });
  expect(onEvent).toHaveBeenCalled();
  await stop();
});

it("rejects with every problem of the environment, without values", async () => {
  const wrong = { ...environment, PORT: "many", DATABASE_URL: "mysql://user:secret@db/pay" };
  await expect(openTillkit({ environment: wrong })).rejects.toThrow(
    [
      "The host did not start, because its environment variables are wrong:",
      "- PORT must be a whole number from 0 to 65535.",
      "- DATABASE_URL must be a postgres:// address.",
    ].join("\n"),
  );
});

it("rejects if the database is not migrated", async () => {
  const elsewhere = { ...environment, TILLKIT_SCHEMA: "elsewhere" };
  await expect(openTillkit({ environment: elsewhere })).rejects.toThrow(/^The schema "elsewhere" lacks /);
});

it("rejects the key file of another database", async () => {
  const other = join(folder, "other-keys.json");
  await orThrow(createKeyring(other));
  const wrong = { ...environment, TILLKIT_KEYS_FILE: other };
  await expect(openTillkit({ environment: wrong })).rejects.toThrow(
    /^No key of \S+other-keys\.json decrypts the credentials of the pay tools \(\d+\): restore /,
  );
});

it("rejects an SMS sender in the options if the environment sets one, too", async () => {
  const gateway = { SMS_GATEWAY_URL: "https://sms.example/send", SMS_GATEWAY_TOKEN: "token" };
  await expect(
    openTillkit({
      environment: { ...environment, ...gateway },
      smsSender: { send: () => okAsync(undefined) },
    }),
  ).rejects.toThrow(
    "The option smsSender is set: remove SMS_GATEWAY_URL and SMS_CARRIERS_FILE, or the option.",
  );
});
