import type { Caller } from "@tillkit/crash/testing/caller";
import { at } from "@tillkit/crash/testing/json";
import type { HostProcess } from "./host-process.js";

const MINUTE = 60_000;

/** The moves of the clock after which every refund has ended and every unpaid order is closed. */
const MOVES: readonly number[] = [
  ...Array.from({ length: 5 }, () => MINUTE),
  ...Array.from({ length: 5 }, () => 10 * MINUTE),
  ...Array.from({ length: 4 }, () => 60 * MINUTE),
];

/**
 * Moves the clocks of the wallets and the hosts until nothing is in progress.
 *
 * @returns the new time in epoch milliseconds.
 */
export async function settle(hosts: readonly HostProcess[], caller: Caller): Promise<number> {
  let now = 0;
  const toAll = async (call: string): Promise<void> => {
    for (const { admin } of hosts) await (await fetch(`${admin}/${call}`, { method: "POST" })).text();
  };
  for (const advanceMs of MOVES) {
    // Moves the hosts' clocks first. Otherwise a notification could have a time in the hosts'
    // future.
    await toAll(`clock?advanceMs=${String(advanceMs)}`);
    now = Number(at(await caller.control("clock", { advanceMs }), "now"));
    await toAll("reconcile");
  }
  return now;
}
