import { clientOf, createSchema, directClientOf, dropSchema, freshSchema } from "../cluster-schema.js";
import { openCosts, type Verb, VERBS } from "../costs/measure-costs.js";
import { type Outcome } from "../outcome.js";

/** The limits of the ratio: the time with direct connections, divided by the time on one server. */
const TARGETS: ReadonlyMap<Verb, number> = new Map([
  ["create", 4],
  ["pay", 4],
  ["session open", 4],
  ["first page of a history", 5],
  ["claimDue", 10],
  ["detail", 4],
  ["check-auth", 4],
]);

/**
 * Measures the p50 of the frequent calls on a plain server and on the cluster: through the
 * coordinator, and with direct connections to the workers.
 */
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
  const server = await openCostsAt(plain, callers, clientOf);
  const coordinator = await openCostsAt(citus, callers, clientOf);
  const nodes = await openCostsAt(citus, callers, directClientOf);
  const rows: string[] = [];
  const missed: string[] = [];
  for (const verb of VERBS) {
    // All three in turn for each kind of calls, so that other load affects all three.
    const before = await server.costs[verb]();
    const through = await coordinator.costs[verb]();
    const direct = await nodes.costs[verb]();
    const [ratio, target] = [direct / before, TARGETS.get(verb)];
    if (target !== undefined && ratio > target) missed.push(verb);
    const times = [before, through, direct].map((ms) => ms.toFixed(2));
    const ratios = [through / before, ratio].map((times) => times.toFixed(1));
    const verdict = target === undefined ? "" : ratio > target ? "missed" : "met";
    rows.push(`${cells(verb, ...times, ...ratios, target?.toString() ?? "-")}  ${verdict}`);
  }
  await Promise.all([server.close(), coordinator.close(), nodes.close()]);
  return {
    status: enforce && missed.length > 0 ? "failed" : "passed",
    lines: [
      `p50 of a call in ms with ${String(callers)} concurrent callers, and ratios to the plain server`,
      cells("", "plain", "coordinator", "direct", "ratio", "direct", "target"),
      ...rows,
      ...(missed.length === 0 ? [] : [`targets missed: ${missed.join(", ")}`]),
    ],
  };
}

function cells(name: string, ...values: readonly string[]): string {
  return name.padEnd(24) + values.map((value) => value.padStart(12)).join("");
}

async function openCostsAt(url: string, callers: number, open: typeof clientOf) {
  const schema = freshSchema();
  await createSchema(url, schema);
  const sql = open(url, callers);
  return {
    costs: await openCosts(sql, schema, callers),
    close: async () => {
      await sql.close();
      await dropSchema(url, schema);
    },
  };
}
