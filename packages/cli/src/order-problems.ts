import { damageSentence, findOrderDifferences } from "@tillkit/core/operators";
import { type DoubledId, findDoubledIds, postgresRefundStore, sampleOrders } from "@tillkit/postgres";
import type { Database } from "./database.js";
import type { Finding } from "./doctor-finding.js";

/** How many orders are compared with their timelines. */
const SAMPLE = { newest: 200, spread: 200 } as const;

/**
 * Limits of the search for numbers that two orders have. It reads an index entry for each order.
 */
const DOUBLED = { limit: 20, timeoutMs: 20_000 } as const;

/** What a sample of the orders shows. */
export interface SampledOrders {
  readonly findings: readonly Finding[];
  /** How many orders were compared. */
  readonly compared: number;
  /** Why the comparison ended early. */
  readonly skipped: readonly string[];
}

/** Compares a bounded sample of the orders with their timelines. Only reads. */
export async function orderProblems({
  sql,
  schema,
}: Pick<Database, "sql" | "schema">): Promise<SampledOrders> {
  const ports = { refunds: postgresRefundStore(sql, schema) };
  const sample = await sampleOrders(sql, schema, SAMPLE);
  const findings: Finding[] = [];
  let compared = 0;
  if (sample.isErr()) return { findings, compared, skipped: ["orders: they could not be read"] };
  for (const key of sample.value) {
    const differences = await findOrderDifferences(ports, key);
    const subject = `${key.appId} ${key.bizNo}`;
    if (differences.isErr())
      return {
        findings,
        compared,
        skipped: [`orders after ${String(compared)}: ${subject} could not be read`],
      };
    compared += 1;
    const message = damageSentence(differences.value, "en");
    if (message === undefined) continue;
    findings.push({
      kind: "damaged-order",
      subject,
      message,
      fix: "Read the order with `tillkit orders explain`, find out who changed the database, and restore the row to what its timeline proves.",
    });
  }
  return { findings, compared, skipped: [] };
}

/** Returns numbers that belong to several orders. Only reads. */
export async function doubledNumbers({
  sql,
  schema,
}: Pick<Database, "sql" | "schema">): Promise<Pick<SampledOrders, "findings" | "skipped">> {
  const doubled = await findDoubledIds(sql, schema, DOUBLED);
  if (doubled.isErr())
    return { findings: [], skipped: ["numbers of several orders: the search failed or took too long"] };
  const byId = new Map<string, DoubledId[]>();
  for (const order of doubled.value) byId.set(order.id, [...(byId.get(order.id) ?? []), order]);
  const findings = [...byId].map(([id, owners]) => ({
    kind: "doubled-number",
    subject: id,
    message: `${owners.length} orders have this number at the wallet: ${owners.map(({ appId, bizNo }) => `${appId} ${bizNo}`).join(", ")}. A statement of the wallet about the number may change the wrong one.`,
    fix: "Find out on the page of the wallet which order was paid under the number, and sync, close or refund only this order.",
  }));
  return { findings, skipped: [] };
}
