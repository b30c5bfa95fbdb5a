// Rehearses a first day in production on this machine: a new database, a host, a purchase and a
// shutdown.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { callerOf } from "./rehearsal/caller.js";
import { dropDatabase } from "./rehearsal/create-database.js";
import { prepare } from "./rehearsal/prepare.js";
import { addressesOf, startProgram } from "./rehearsal/program.js";

const created = z.object({ code: z.literal(0), data: z.object({ biz_content: z.string() }) });
const terms = z.object({ out_trade_no: z.string() });
const status = z.object({ data: z.object({ paymentStatus: z.string() }) });

const serverUrl = process.env["REHEARSAL_DATABASE_URL"] ?? "";
if (serverUrl === "") {
  console.error(
    "REHEARSAL_DATABASE_URL is missing: set it to a PostgreSQL server, as a role that may create databases and roles.",
  );
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), "tillkit-rehearsal-"));
let stopAtOnce = async (): Promise<void> => undefined;
let clean = async (): Promise<void> => undefined;
try {
  const prepared = await prepare(serverUrl, folder);
  clean = async () => {
    await prepared.clean();
    await dropDatabase(serverUrl, prepared.ownerUrl);
  };
  console.log("Migrated the database, created the host's role, and set up an app.");

  const program = startProgram(prepared.environment);
  stopAtOnce = async () => {
    program.child.kill("SIGKILL");
    await program.ended;
  };
  const { api, admin } = await addressesOf(program);
  assert.equal((await fetch(`${admin}/health/ready`)).status, 200);
  console.log(`The host is ready on ${api}.`);

  const caller = callerOf(api, prepared);
  const order = { bizNo: "first-day-1", amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
  const made = created.parse(await caller.post("/order.json", { ...order, customerIdentity: "user-1" }));
  const { out_trade_no: outTradeNo } = terms.parse(JSON.parse(made.data.biz_content));
  await fetch(`${admin}/sandbox/pay`, { method: "POST", body: JSON.stringify({ outTradeNo }) });
  const { data } = status.parse(await caller.get("/detail.json?bizNo=first-day-1&customerIdentity=user-1"));
  assert.equal(data.paymentStatus, "PAID");
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  assert.match(metrics, /tillkit_order_transitions_total\{from="PENDING",to="PAID"\} 1/);
  console.log("A customer paid an order, and the metrics show it.");

  program.child.kill("SIGTERM");
  assert.equal(await program.ended, 0, program.output());
  console.log("The host shut down cleanly.");

  const several = startProgram({ ...prepared.environment, WALLETS: "live", WORKERS: "2" });
  stopAtOnce = async () => {
    several.child.kill("SIGKILL");
    await several.ended;
  };
  const shared = await addressesOf(several);
  several.child.kill("SIGHUP");
  await several.line((line) => line.includes("the replacement of the workers ended"));
  const read = await callerOf(shared.api, prepared).get(
    "/detail.json?bizNo=first-day-1&customerIdentity=user-1",
  );
  assert.equal(status.parse(read).data.paymentStatus, "PAID");
  const sums = await (await fetch(`${shared.admin}/metrics`)).text();
  assert.match(sums, /tillkit_workers\{state="serving"\} 2/);
  several.child.kill("SIGTERM");
  assert.equal(await several.ended, 0, several.output());
  console.log("Two workers served, were replaced, and shut down cleanly.");
} finally {
  await stopAtOnce();
  await clean();
  await rm(folder, { recursive: true });
}
