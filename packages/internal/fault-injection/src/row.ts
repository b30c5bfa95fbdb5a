import type { Outcome } from "./ask.js";

/** The outcomes of the requests during one fault. */
export interface Row {
  readonly fault: string;
  readonly requests: number;
  /** Successful responses. */
  readonly answered: number;
  /** Responses with the code that is expected under the fault. */
  readonly refused: number;
  /** Requests without a response. */
  readonly hung: number;
  /** Other responses, and acknowledged requests that were lost. */
  readonly wrong: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds from the end of the fault to the last failed response; absent if not measured. */
  readonly recovery?: number;
}

/**
 * Counts the outcomes of a fault.
 *
 * @param expected - the code that the fault may cause.
 */
export function rowOf(
  fault: string,
  outcomes: readonly Outcome[],
  expected: number | undefined,
  lost = 0,
): Row {
  const count = (is: (code: Outcome["code"]) => boolean) => outcomes.filter(({ code }) => is(code)).length;
  const sorted = outcomes.map(({ ms }) => ms).toSorted((left, right) => left - right);
  const quantile = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const answered = count((code) => code === 0);
  const refused = count((code) => code === expected);
  const hung = count((code) => code === "hung");
  return {
    fault,
    requests: outcomes.length,
    answered,
    refused,
    hung,
    wrong: outcomes.length - answered - refused - hung + lost,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}

const COLUMNS = [
  ["fault", 34],
  ["requests", 9],
  ["answered", 9],
  ["refused", 8],
  ["hung", 5],
  ["wrong", 6],
  ["p50", 7],
  ["p99", 7],
  ["recovery", 9],
] as const;

/** The heading of the lines of {@link lineOf}. */
export const HEAD = COLUMNS.map(([name, width]) => padded(name, width)).join(" ");

/** Formats a row as a line of text. */
export function lineOf(row: Row): string {
  return COLUMNS.map(([name, width]) => padded(String(row[name] ?? "-"), width)).join(" ");
}

function padded(text: string, width: number): string {
  return width > 20 ? text.padEnd(width) : text.padStart(width);
}
