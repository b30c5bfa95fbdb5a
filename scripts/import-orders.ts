// Imports 100 000 old orders twice with the published program. Checks that the second run changes
// nothing, that callers see the orders over HTTP, and that the export equals the file.
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { orThrow } from "@tillkit/core";
import { limitedSurfaces } from "@tillkit/core/http";
import { createTillkit } from "@tillkit/host";
import { startPostgres } from "@tillkit/local-postgres";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import { pgClient, postgresStores } from "@tillkit/postgres";
import { publishablePackages, root, secondsSince, withTemporaryFolder } from "@tillkit/repository";
import { readKeyring, readPolicy } from "@tillkit/runtime";
import pg from "pg";
import { z } from "zod";
import { ensureBuilt } from "./lib/ensure-built.js";

const ORDERS = 100_000;
const CUSTOMERS = 1_000;
const MOST_SECONDS = 180;
const AT = 1_700_000_000_000;
const APP = { app_id: "10086", app_secret: "the-secret-of-the-old-service" };

const orderAnswer = z.object({
  bizNo: z.string(),
  amount: z.number(),
  payChannel: z.string(),
  paymentStatus: z.string(),
});
const historyAnswer = z.object({
  data: z.object({ totalCount: z.number(), payOrderList: z.array(orderAnswer) }),
});
const detailAnswer = z.object({ data: orderAnswer });

await ensureBuilt(publishablePackages());
const server = await startPostgres();
const began = performance.now();
try {
  await withTemporaryFolder(async (folder) => {
    const file = `${folder}/orders.jsonl`;
    const exported = `${folder}/exported.jsonl`;
    const policyFile = `${folder}/policy.json`;
    const env = {
      DATABASE_URL: server.url,
      TILLKIT_KEYS_FILE: `${folder}/keys.json`,
      TILLKIT_POLICY_FILE: policyFile,
    };
    await writeFile(
      policyFile,
      JSON.stringify({ payChannelNames: { WALLET_A: "messenger", WALLET_B: "payer" } }),
    );
    await tillkit(env, ["keys", "create"]);
    await tillkit(env, ["migrate"]);
    const register = ["apps", "create", "--name", "Old", "--app-id", APP.app_id, "--app-secret-stdin"];
    await tillkit(env, register, APP.app_secret);
    await writeOrders(file);
    await importOnce(env, file, { imported: ORDERS, unchanged: 0 });
    await importOnce(env, file, { imported: 0, unchanged: ORDERS });
    await tillkit(env, ["export", "orders", exported]);
    const [left, right] = await Promise.all([readFile(file), readFile(exported)]);
    if (!left.equals(right)) throw new Error("The export differs from the file.");
    await askHost(env, policyFile);
  });
  console.log(`${ORDERS} orders imported twice, exported and read in ${secondsSince(began)} s`);
  if (performance.now() - began > MOST_SECONDS * 1_000)
    throw new Error(`The imports, the export and the requests may take ${MOST_SECONDS} s.`);
} finally {
  await server.stop();
}

async function importOnce(
  env: Readonly<Record<string, string>>,
  file: string,
  expected: { readonly imported: number; readonly unchanged: number },
): Promise<void> {
  const start = performance.now();
  const answer = z
    .object({ imported: z.number(), unchanged: z.number() })
    .parse(await tillkit(env, ["import", "orders", file, "--operator", "ci"]));
  console.log(`${answer.imported} imported, ${answer.unchanged} unchanged in ${secondsSince(start)} s`);
  if (answer.imported !== expected.imported || answer.unchanged !== expected.unchanged)
    throw new Error(`${expected.imported} imported and ${expected.unchanged} unchanged were expected.`);
}

/** Runs a host on the same database, keys and policy, and asks it as the callers do. */
async function askHost(env: Readonly<Record<string, string>>, policyFile: string): Promise<void> {
  const keyring = await orThrow(readKeyring(env["TILLKIT_KEYS_FILE"] ?? ""));
  const policy = await orThrow(readPolicy(policyFile));
  const sql = pgClient(new pg.Pool({ connectionString: server.url, max: 4 }));
  const { credentialKeys } = keyring;
  const { ports } = createTillkit({
    stores: postgresStores({ sql, schema: "tillkit", credentialKeys }),
    wallets: memoryPorts().wallets,
    publicUrl: "https://pay.example.com",
    keyring,
    policy,
  });
  const host = createServer(nodeListener({ "/pay": limitedSurfaces(ports).payments }));
  try {
    await once(host.listen(0, "127.0.0.1"), "listening");
    await checkAnswers(host.address());
  } finally {
    host.close();
    await sql.close();
  }
}

async function checkAnswers(address: ReturnType<ReturnType<typeof createServer>["address"]>): Promise<void> {
  if (address === null || typeof address === "string") throw new Error("The host has no port.");
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${address.port}/pay${path}`, { headers: APP });
    return response.json();
  };
  const history = historyAnswer.parse(await ask("/history.json?customerIdentity=user-7&paymentStatus=PAID"));
  if (history.data.totalCount !== ORDERS / CUSTOMERS)
    throw new Error(`The customer has ${history.data.totalCount} orders in /history.json.`);
  for (const index of [7, 1_007, ORDERS - CUSTOMERS + 7]) {
    const { data } = detailAnswer.parse(
      await ask(`/detail.json?bizNo=${bizNoOf(index)}&customerIdentity=user-7`),
    );
    const expected = {
      bizNo: bizNoOf(index),
      amount: 1 + index,
      payChannel: "payer",
      paymentStatus: "PAID",
    };
    if (JSON.stringify(data) !== JSON.stringify(expected))
      throw new Error(`/detail.json returns ${JSON.stringify(data)} instead of ${JSON.stringify(expected)}.`);
  }
}

async function tillkit(env: Readonly<Record<string, string>>, argv: readonly string[], input = "") {
  const running = promisify(execFile)(process.execPath, ["packages/cli/dist/main.js", ...argv, "--json"], {
    cwd: root,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
  });
  running.child.stdin?.end(input);
  const document: unknown = JSON.parse((await running).stdout);
  return document;
}

async function writeOrders(file: string): Promise<void> {
  const out = createWriteStream(file);
  for (let index = 0; index < ORDERS; index += 1) {
    const order = {
      appId: APP.app_id,
      bizNo: bizNoOf(index),
      id: `old-${index}`,
      customerIdentity: `user-${index % CUSTOMERS}`,
      amount: 1 + index,
      goodsTitle: "Month",
      payChannel: index % 2 === 0 ? "WALLET_A" : "WALLET_B",
      paySource: "APP",
      paymentStatus: "PAID",
      attachData: "{}",
      pmtDt: AT + index,
      refundedAmount: 0,
      gmtCreate: AT + index,
      gmtModified: AT + index,
    };
    if (!out.write(`${JSON.stringify(order)}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

function bizNoOf(index: number): string {
  return `b-${String(index).padStart(7, "0")}`;
}
