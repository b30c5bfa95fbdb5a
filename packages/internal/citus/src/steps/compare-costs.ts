import { createSchema, clientOf, dropSchema, freshSchema } from "../cluster-schema.js";
import { type Costs, measureCosts, VERBS } from "../costs/measure-costs.js";
import { type Outcome } from "../outcome.js";

/** The largest accepted ratio of each verb: cost on the cluster by cost on one server. */
const TARGETS: ReadonlyMap<string, number> = new Map([
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
  const [server, cluster] = [await costsOn(plain, callers), await costsOn(citus, callers)];
  const missed: string[] = [];
  const rows = VERBS.map((verb) => {
    const [before, after] = [server.get(verb) ?? 0, cluster.get(verb) ?? 0];
    const [ratio, target] = [after / before, TARGETS.get(verb)];
    if (target !== undefined && ratio > target) missed.push(verb);
    const cells = [before.toFixed(2), after.toFixed(2), ratio.toFixed(1), target?.toString() ?? "-"];
    const verdict = target === undefined ? "" : ratio > target ? "missed" : "met";
    return `${verb.padEnd(26)}${cells.map((cell) => cell.padStart(10)).join("")}  ${verdict}`;
  });
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

async function costsOn(url: string, callers: number): Promise<Costs> {
  const schema = freshSchema();
  await createSchema(url, schema);
  const sql = clientOf(url, callers);
  try {
    return await measureCosts(sql, schema, callers);
  } finally {
    await sql.close();
    await dropSchema(url, schema);
  }
}
