import { damageSentence, findOrderDifferences } from "@tillkit/core";
import { postgresOrderStore, postgresRefundStore, sampleOrders } from "@tillkit/postgres";
import type { Database } from "./database.js";
import type { Finding } from "./doctor-finding.js";

/** How many orders are compared with their timelines. */
const SAMPLE = { newest: 200, spread: 200 } as const;

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
  const ports = { orders: postgresOrderStore(sql, schema), refunds: postgresRefundStore(sql, schema) };
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
