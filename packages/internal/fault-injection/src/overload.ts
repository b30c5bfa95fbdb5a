import { setTimeout as pause } from "node:timers/promises";
import { CONNECTIONS, type Outcome, purchase } from "./ask.js";
import { type Row, rowOf } from "./row.js";
import type { Scenario } from "./scenario.js";

const CALLERS = 16;
const MEASURE_MS = 4_000;
const OVERLOAD_MS = 5_000;
const TIMES = 4;
/** The pause between two parts of the overload, in milliseconds. */
const BEAT = 10;

/**
 * Measures the capacity of the host in purchases per second, then sends four times as many.
 *
 * The rate of requests does not depend on the responses.
 */
export async function overload({ ask }: Pick<Scenario, "ask">): Promise<readonly Row[]> {
  const calm: Outcome[] = [];
  let made = 0;
  const buy = (mark: string) => ask("/order.json", purchase(`${mark}-${(made += 1)}`));
  await Promise.all(Array.from({ length: CONNECTIONS }, () => ask("/payTools.json")));
  const until = performance.now() + MEASURE_MS;
  const call = async (): Promise<void> => {
    while (performance.now() < until) calm.push(await buy("calm"));
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  const capacity = Math.round(calm.length / (MEASURE_MS / 1_000));

  const sent: Promise<Outcome>[] = [];
  const startedAt = performance.now();
  for (let passed = 0; passed < OVERLOAD_MS; passed = performance.now() - startedAt) {
    const due = (passed / 1_000) * capacity * TIMES;
    while (sent.length < due) sent.push(buy("many"));
    await pause(BEAT);
  }
  const outcomes = await Promise.all(sent);
  const rate = Math.round(sent.length / (OVERLOAD_MS / 1_000));
  const isRefused = ({ code }: Outcome): boolean => code === 99998;
  return [
    rowOf(`at capacity, ${capacity} a second`, calm, undefined),
    rowOf(
      `${rate} a second: let in`,
      outcomes.filter((one) => !isRefused(one)),
      undefined,
    ),
    rowOf(`${rate} a second: refused`, outcomes.filter(isRefused), 99998),
  ];
}
