import { builtProgram } from "@tillkit/built-program";
import { orThrow } from "@tillkit/core";
import { pgClient } from "@tillkit/postgres";
import { createDatabase } from "@tillkit/local-postgres";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { z } from "zod";
import { readConfig } from "../../../server/src/config.js";
import { openLogger } from "../../../server/src/log/logger.js";
import { callerOf } from "../../../server/src/rehearsal/caller.js";
import {
  type Addresses,
  addressesOf,
  type Program,
  startProgram,
} from "../../../server/src/rehearsal/program.js";
import { startHost } from "../../../server/src/process/start-host.js";
import { openCuttableConnection } from "./testing/wire.js";
import { openFixture, type TestFixture } from "./testing/fixture.js";

const main = await builtProgram(new URL("../../../server/src/testing/server-program.ts", import.meta.url));

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.clean());

const created = z.object({ data: z.object({ biz_content: z.string() }) });
const terms = z.object({ out_trade_no: z.string() });

const programs: Program[] = [];
function start(changes: Readonly<Record<string, string>> = {}): Program {
  const program = startProgram({ ...fixture.environment, ...changes }, [main]);
  programs.push(program);
  return program;
}
afterEach(async () => {
  fixture.gateway.answer(202);
  fixture.gateway.release();
  for (const program of programs.splice(0)) {
    program.child.kill("SIGKILL");
    await program.ended;
  }
});

/** Starts a host in this process, which is faster. For tests that do not start or end a process. */
async function serve(changes: Readonly<Record<string, string>> = {}): Promise<Addresses> {
  const config = orThrow(readConfig({ ...fixture.environment, ...changes }));
  const host = await orThrow(startHost(config, openLogger("info", { write: () => undefined })));
  onTestFinished(async () => {
    await host.stop().done;
  });
  return { api: `http://127.0.0.1:${host.api.port}`, admin: `http://127.0.0.1:${host.admin.port}` };
}

/** Timeout in milliseconds for changes that happen within seconds. */
const PATIENT = 30_000;

async function readiness(admin: string): Promise<unknown> {
  const response = await fetch(`${admin}/health/ready`);
  const body: unknown = await response.json();
  return { status: response.status, body };
}

describe("a start", () => {
  it("uses the real wallets in production", async () => {
    const live = { NODE_ENV: "production", WALLETS: "live", PUBLIC_URL: "https://pay.example.com" };
    const gateway = { SMS_GATEWAY_URL: "", SMS_GATEWAY_TOKEN: "" };
    const { admin } = await serve({ ...live, ...gateway });
    expect(await readiness(admin)).toMatchObject({ status: 200 });
    expect((await fetch(`${admin}/sandbox/keys`)).status).toBe(404);
  });

  it("reports every invalid environment variable, and exits with 1", async () => {
    const program = start({ PORT: "http", TILLKIT_KEYS_FILE: "", WALLETS: "monopoly" });
    expect(await program.ended).toBe(1);
    expect(program.output()).toBe(
      "The host did not start, because its environment variables are wrong:\n" +
        "- PORT must be a whole number from 0 to 65535.\n" +
        "- TILLKIT_KEYS_FILE is missing: it must be the path of the key file.\n" +
        "- WALLETS must be live or sandbox.\n",
    );
  });

  it("rejects a schema without migrations in one line", { tags: "slow" }, async () => {
    const program = start({ DATABASE_URL: await createDatabase(inject("databaseUrl")) });
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/^The schema "tillkit" lacks 0001-.*: run the migrations first\.\n$/);
  });

  it("rejects a schema with a newer breaking migration in one line", { tags: "slow" }, async () => {
    const owner = pgClient(new pg.Pool({ connectionString: fixture.ownerUrl, max: 1 }));
    await owner.script(
      "insert into tillkit.schema_migrations (version, name, checksum, breaking) values (9999, '9999-split-orders', 'x', true)",
    );
    onTestFinished(async () => {
      await owner.script("delete from tillkit.schema_migrations where version = 9999");
      await owner.close();
    });
    const program = start();
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(
      /^The schema "tillkit" has the breaking migration 9999-split-orders.*\n$/,
    );
  });

  it(
    "prints in one line that the database cannot be reached, without its password",
    { tags: "slow" },
    async () => {
      const program = start({ DATABASE_URL: "postgres://host:db-secret@127.0.0.1:1/pay" });
      expect(await program.ended).toBe(1);
      expect(program.output()).toBe(
        "The database at DATABASE_URL cannot be queried: connect ECONNREFUSED 127.0.0.1:1.\n",
      );
    },
  );
});

describe("a host", () => {
  it("is ready while its database answers, also after an outage, and always alive", async () => {
    const wire = await openCuttableConnection(fixture.environment["DATABASE_URL"] ?? "");
    const { admin, api } = await serve({ DATABASE_URL: wire.url });
    const alive = async () => (await fetch(`${admin}/health/live`)).status;
    expect(await readiness(admin)).toMatchObject({ status: 200, body: { ready: true } });
    await wire.cut();
    // A host reuses the result of a check for a second.
    await expect
      .poll(() => readiness(admin), { timeout: PATIENT })
      .toMatchObject({ status: 503, body: { ready: false, why: "storage.unavailable" } });
    expect(await callerOf(api, fixture).get("/payTools.json")).toMatchObject({ code: 99998 });
    expect(await alive()).toBe(200);
    await wire.mend();
    await expect
      .poll(() => readiness(admin), { timeout: PATIENT })
      .toMatchObject({ status: 200, body: { ready: true } });
    expect(await callerOf(api, fixture).get("/payTools.json")).toMatchObject({ code: 0 });
    await wire.cut();
  });

  it("queries open orders in the background", async () => {
    const program = start({ RECONCILE_EVERY_MS: "100" });
    const { admin, api } = await addressesOf(program);
    const order = {
      bizNo: "silent",
      amount: 600,
      goodsTitle: "x",
      payChannel: "WALLET_B",
      customerIdentity: "c",
    };
    const made = created.parse(await callerOf(api, fixture).post("/order.json", order));
    const { out_trade_no: outTradeNo } = terms.parse(JSON.parse(made.data.biz_content));
    const play = (call: string, body: object) =>
      fetch(`${admin}/sandbox/${call}`, { method: "POST", body: JSON.stringify(body) });
    // No server listens at the notification URL, so only a query can find the payment.
    await play("pay", { outTradeNo });
    await play("clock", { advanceMs: 31_000 });
    const moved = await program.line((line) => line.includes('"msg":"order status changed"'));
    expect(JSON.parse(moved)).toMatchObject({ orderId: outTradeNo, from: "PENDING", to: "PAID" });
  });

  it("reports metrics with labels from closed lists", async () => {
    const { admin, api } = await serve();
    const caller = callerOf(api, fixture);
    await caller.get("/payTools.json");
    await caller.get("/detail.json");
    await caller.get("/made-up-1");
    await caller.get("/made-up-2");
    await fetch(`${api}/pay/payTools.json`, { method: "PURGE" });
    await fetch(`${api}/wallets/notify/WALLET_A/none/none`, { method: "POST", body: "{}" });
    const order = {
      bizNo: "counted",
      amount: 600,
      goodsTitle: "x",
      payChannel: "WALLET_A",
      customerIdentity: "c",
    };
    await caller.post("/order.json", order);
    const metrics = (await (await fetch(`${admin}/metrics`)).text()).split("\n");
    expect(metrics.filter((line) => line.startsWith("tillkit_requests_total")).sort()).toEqual([
      'tillkit_requests_total{method="GET",route="/detail.json",code="10002",status="200"} 1',
      'tillkit_requests_total{method="GET",route="/payTools.json",code="0",status="200"} 1',
      'tillkit_requests_total{method="GET",route="unknown",code="10014",status="404"} 2',
      'tillkit_requests_total{method="OTHER",route="unknown",code="10014",status="404"} 1',
      'tillkit_requests_total{method="POST",route="/notify/{payChannel}/{payToolId}/{orderRef}",code="none",status="401"} 1',
      'tillkit_requests_total{method="POST",route="/order.json",code="0",status="200"} 1',
    ]);
    for (const line of [
      'tillkit_wallet_call_duration_seconds_count{channel="WALLET_A",method="prepare",outcome="ok"} 1',
      'tillkit_notifications_refused_total{channel="WALLET_A",reason="unknown-account"} 1',
      'tillkit_pool_connections{state="waiting"} 0',
      'tillkit_queue_due{queue="refunds"} 0',
      'tillkit_queue_oldest_wait_seconds{queue="refunds"} 0',
      "tillkit_record_readable 1",
    ]) {
      expect(metrics).toContain(line);
    }
    expect(metrics.some((line) => line.startsWith("nodejs_eventloop_delay_p99_seconds "))).toBe(true);
  });
});

describe("a crash", { tags: "slow" }, () => {
  it.each([
    ["uncaught exception", "throw trouble"],
    ["unhandled rejection", "void Promise.reject(trouble)"],
  ])("by an %s exits with 1 and logs a line without its message", async (what, crash) => {
    // In two parts, because the stack of an error names the file, which is the text of this
    // program.
    const fault = `const trouble = new Error("code 482" + "913 of 1380" + "0138000");`;
    const plant = `process.on("SIGUSR2", () => { ${fault} ${crash}; });`;
    const program = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(plant)}` });
    await addressesOf(program);
    program.child.kill("SIGUSR2");
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain(`"msg":"${what}"`);
    expect(program.output()).not.toMatch(/13800138000|482913/);
  });
});

describe("a shutdown", () => {
  /** Starts a host and tells it to stop while a request waits for the SMS gateway. */
  async function stoppedInMidRequest(
    changes: Readonly<Record<string, string>>,
    mobileNo: string,
    signal: "SIGTERM" | "SIGHUP" = "SIGTERM",
  ) {
    fixture.gateway.answer("hold");
    const program = start(changes);
    const { admin, api } = await addressesOf(program);
    const answer = callerOf(api, fixture).get(`/sms.json?mobileNo=${mobileNo}`);
    // The request rejects if the host cuts it off, and not every test awaits it.
    answer.catch(() => undefined);
    await fixture.gateway.holding();
    program.child.kill(signal);
    await program.line((line) => line.includes('"msg":"stopping"'));
    return { program, admin, api, answer };
  }

  it("completes running requests, accepts no new ones, and exits with 0", async () => {
    const { program, admin, api, answer } = await stoppedInMidRequest({}, "13800138001");
    expect(await readiness(admin)).toMatchObject({ status: 503, body: { ready: false, why: "stopping" } });
    await expect(fetch(`${api}/pay/payTools.json`)).rejects.toThrow();
    fixture.gateway.release();
    expect(await answer).toMatchObject({ code: 0 });
    expect(await program.ended).toBe(0);
    expect(program.output()).toMatch(/"msg":"stopped"}\n$/);
  });

  it(
    "completes running requests at SIGHUP, which only a supervisor answers with new workers",
    { tags: "slow" },
    async () => {
      const { program, answer } = await stoppedInMidRequest({}, "13800138005", "SIGHUP");
      fixture.gateway.release();
      expect(await answer).toMatchObject({ code: 0 });
      expect(await program.ended).toBe(0);
    },
  );

  it("accepts requests until the load balancer has had time to switch", { tags: "slow" }, async () => {
    const { admin, api, answer } = await stoppedInMidRequest({ DRAIN_DELAY_MS: "60000" }, "13800138002");
    expect(await readiness(admin)).toMatchObject({ status: 503 });
    expect(await callerOf(api, fixture).get("/payTools.json")).toMatchObject({ code: 0 });
    fixture.gateway.release();
    expect(await answer).toMatchObject({ code: 0 });
  });

  it("exits with 1 at the deadline, and logs what was interrupted", { tags: "slow" }, async () => {
    const { program } = await stoppedInMidRequest({ SHUTDOWN_DEADLINE_MS: "100" }, "13800138003");
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(
      /"cut":\["requests: 1"\],"msg":"stopped before the end: the deadline passed"}\n$/,
    );
  });

  it("exits with 1 at a second signal, and logs what was interrupted", { tags: "slow" }, async () => {
    const { program } = await stoppedInMidRequest({}, "13800138004");
    program.child.kill("SIGTERM");
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(
      /"cut":\["requests: 1"\],"msg":"stopped before the end: SIGTERM was received twice"}\n$/,
    );
  });
});
