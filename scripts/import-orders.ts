// Imports 100 000 old orders twice with the published program. Checks that the second run changes
// nothing, that callers see the orders, and that the export equals the file.
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { startPostgres } from "@tillkit/local-postgres";
import { publishablePackages, root, secondsSince, withTemporaryFolder } from "@tillkit/repository";
import { z } from "zod";
import { ensureBuilt } from "./lib/ensure-built.js";

const ORDERS = 100_000;
const CUSTOMERS = 1_000;
const MOST_SECONDS = 60;
const AT = 1_700_000_000_000;

await ensureBuilt(publishablePackages());
const server = await startPostgres();
const began = performance.now();
try {
  await withTemporaryFolder(async (folder) => {
    const file = `${folder}/orders.jsonl`;
    const exported = `${folder}/exported.jsonl`;
    const env = { DATABASE_URL: server.url, TILLKIT_KEYS_FILE: `${folder}/keys.json` };
    await tillkit(env, "keys", "create");
    await tillkit(env, "migrate");
    const { appId } = z
      .object({ app: z.object({ appId: z.string() }) })
      .parse(await tillkit(env, "apps", "create", "--name", "Old")).app;
    await writeOrders(file, appId);
    await importOnce(env, file, { imported: ORDERS, unchanged: 0 });
    await importOnce(env, file, { imported: 0, unchanged: ORDERS });
    await tillkit(env, "export", "orders", exported);
    const [left, right] = await Promise.all([readFile(file), readFile(exported)]);
    if (!left.equals(right)) throw new Error("The export differs from the file.");
    const find = ["orders", "find", "--app", appId, "--customer", "user-7", "--status", "PAID"];
    const { totalCount } = z.object({ totalCount: z.number() }).parse(await tillkit(env, ...find));
    if (totalCount !== ORDERS / CUSTOMERS) throw new Error(`The customer has ${totalCount} orders.`);
  });
  console.log(`${ORDERS} orders imported twice and exported in ${secondsSince(began)} s`);
  if (performance.now() - began > MOST_SECONDS * 1_000)
    throw new Error(`The imports and the export may take ${MOST_SECONDS} s.`);
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
    .parse(await tillkit(env, "import", "orders", file, "--operator", "ci"));
  console.log(`${answer.imported} imported, ${answer.unchanged} unchanged in ${secondsSince(start)} s`);
  if (answer.imported !== expected.imported || answer.unchanged !== expected.unchanged)
    throw new Error(`${expected.imported} imported and ${expected.unchanged} unchanged were expected.`);
}

async function tillkit(env: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["packages/cli/dist/main.js", ...argv, "--json"],
    { cwd: root, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
  );
  const document: unknown = JSON.parse(stdout);
  return document;
}

async function writeOrders(file: string, appId: string): Promise<void> {
  const out = createWriteStream(file);
  for (let index = 0; index < ORDERS; index += 1) {
    const order = {
      appId,
      bizNo: `b-${String(index).padStart(7, "0")}`,
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
