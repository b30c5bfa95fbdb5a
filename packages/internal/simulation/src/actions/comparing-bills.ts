import { orThrow, parseInput, reconcileBills, reconcileBillsInput } from "@tillkit/core";
import { resolveBillException, resolveBillExceptionInput } from "@tillkit/core/operators";
import { totalsOf } from "../stream-lines.js";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";

const DAY = 86_400_000;

/** Reconciles the bills of one of the last three days. */
export function compareBills(scenario: Scenario): void {
  const { choices, now } = scenario.simulation;
  const daysAgo = [1, 1, 2, 3][choices.next(4)] ?? 1;
  compareBillsOf(scenario, dayInChina(now() - daysAgo * DAY));
}

/** Reconciles the bills of a day, and checks that the reported totals are those of the bills. */
export function compareBillsOf(scenario: Scenario, day: string): void {
  const input = orThrow(parseInput(reconcileBillsInput(), { day }));
  scenario.serve(
    `compare the bills of ${day}`,
    (ports) => reconcileBills(ports, input),
    (compared) => {
      if (compared.isErr()) return;
      for (const outcome of compared.value) {
        if (outcome.kind !== "compared") continue;
        const { payChannel } = outcome.bill;
        const bill = scenario.billGenerator.printed.find(
          (one) => one.day === day && one.payChannel === payChannel,
        );
        const there = JSON.stringify(totalsOf(bill?.lines ?? []));
        invariant(
          "only a complete bill is compared",
          bill !== undefined && JSON.stringify(outcome.reconciled.totals) === there,
          () => `${payChannel} ${day}: ${JSON.stringify(outcome.reconciled.totals)}, not ${there}`,
        );
      }
    },
  );
}

/** An operator resolves one of the differences. */
export async function resolve(scenario: Scenario): Promise<void> {
  const { stores, choices } = scenario.simulation;
  const query = { state: "OPEN", limit: 100 } as const;
  const { items } = await orThrow(stores.billExceptions.list(query));
  const exception = items[choices.next(Math.max(1, items.length))];
  if (exception === undefined) return;
  const resolution = { id: exception.id, operator: "han", note: "seen to" };
  scenario.known.resolved.add(exception.id);
  scenario.serve(`resolve ${exception.kind} of ${exception.outTradeNo}`, (ports) =>
    resolveBillException(ports, orThrow(parseInput(resolveBillExceptionInput(), resolution))),
  );
}

/** Returns the day in China, which has no daylight saving time. */
export function dayInChina(at: number): string {
  return new Date(at + DAY / 3).toISOString().slice(0, 10);
}
