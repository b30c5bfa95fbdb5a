import { createSchema, clientOf, dropSchema, freshSchema } from "../cluster-schema.js";
import { openCosts, type Verb, VERBS } from "../costs/measure-costs.js";
import { type Outcome } from "../outcome.js";

/** The largest accepted ratio of each verb: cost on the cluster by cost on one server. */
const TARGETS: ReadonlyMap<Verb, number> = new Map([
  ["create", 4],
  ["pay", 4],
  ["session open", 4],
  ["first page of a history", 5],
  ["claimDue", 10],
  ["detail", 4],
  ["check-auth", 4],
]);

/** Measures the p50 of the frequent calls on a plain server and on the cluster, in one table. */
export async function compareCosts({
  citus,
  plain,
  callers,
  enforce,
}: {
  readonly citus: string;
  readonly plain: string;
  readonly callers: number;
  readonly enforce: boolean;
}): Promise<Outcome> {
  const server = await openCostsAt(plain, callers);
  const cluster = await openCostsAt(citus, callers);
  const rows: string[] = [];
  const missed: string[] = [];
  for (const verb of VERBS) {
    // One after the other for each verb, so that other load on the machine affects both.
    const before = await server.costs[verb]();
    const after = await cluster.costs[verb]();
    const [ratio, target] = [after / before, TARGETS.get(verb)];
    if (target !== undefined && ratio > target) missed.push(verb);
    const cells = [before.toFixed(2), after.toFixed(2), ratio.toFixed(1), target?.toString() ?? "-"];
    const verdict = target === undefined ? "" : ratio > target ? "missed" : "met";
    rows.push(`${verb.padEnd(26)}${cells.map((cell) => cell.padStart(10)).join("")}  ${verdict}`);
  }
  await Promise.all([server.close(), cluster.close()]);
  const heading = ["plain ms", "Citus ms", "ratio", "target"].map((cell) => cell.padStart(10)).join("");
  return {
    status: enforce && missed.length > 0 ? "failed" : "passed",
    lines: [
      `p50 of a call with ${String(callers)} concurrent callers`,
      `${"".padEnd(26)}${heading}`,
      ...rows,
      ...(missed.length === 0 ? [] : [`targets missed: ${missed.join(", ")}`]),
    ],
  };
}

async function openCostsAt(url: string, callers: number) {
  const schema = freshSchema();
  await createSchema(url, schema);
  const sql = clientOf(url, callers);
  return {
    costs: await openCosts(sql, schema, callers),
    close: async () => {
      await sql.close();
      await dropSchema(url, schema);
    },
  };
}
