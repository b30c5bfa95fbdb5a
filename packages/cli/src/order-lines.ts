import { createInterface } from "node:readline";
import {
  IMPORTED_ORDER_MEMBERS,
  type ImportedOrder,
  importedOrderInput,
  parseInput,
  type Policy,
} from "@tillkit/core";
import { failureMessage } from "@tillkit/core/errors";
import type { Input } from "./input-file.js";

const BATCH = 500;

/** A line of a file: its order, or what is wrong with it. */
export type OrderLine = { readonly line: number } & (
  { readonly order: ImportedOrder } | { readonly problem: string }
);

/** Reads a file with one order in JSON per line, in batches. Empty lines are left out. */
export async function* orderLines({ stream }: Input, policy: Policy): AsyncGenerator<readonly OrderLine[]> {
  let batch: OrderLine[] = [];
  let line = 0;
  for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === "") continue;
    batch.push({ line, ...orderOf(text, policy) });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function orderOf(
  text: string,
  policy: Policy,
): { readonly order: ImportedOrder } | { readonly problem: string } {
  const json = parseJson(text);
  if (json === undefined) return { problem: "the line is not a JSON object" };
  const unknown = Object.keys(json).filter((name) => !IMPORTED_ORDER_MEMBERS.includes(name));
  // A misspelt optional member, such as the refunded amount, must not be ignored.
  if (unknown.length > 0) return { problem: `these members are not known: ${unknown.join(", ")}` };
  return parseInput(importedOrderInput(policy), json).match<
    { readonly order: ImportedOrder } | { readonly problem: string }
  >(
    (order) => ({ order }),
    (failure) => ({ problem: failureMessage(failure, "en") }),
  );
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
