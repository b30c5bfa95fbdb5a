import { parseArgs } from "node:util";
import { runMonth } from "./run-month.js";

const HELP = `npm run simulate:month [--seeds N] [--seed S] [--orders N] [--brief]

Runs months of business over HTTP: the real wallet adapters against the simulated wallets. Customers pay, pay late, pay twice
or not at all. Operators refund, also two at once, and merchants refund in the wallets' consoles. Wallets are down for hours
and days, lose answers and notifications, have no money, and write late, incomplete and wrong bills. Keys are replaced and
revoked, and a backup is restored. An operator works through the lists every day. For a week nobody compares bills.

At the end, for each order the record equals the wallet to the cent, the lists are empty, no limit of the wallets was
broken, and no money moved twice. The reports of the months and days add up to the wallets' bills to the cent, and each line
of a bill is in one of them.

  --seeds N    runs N months, with the seeds S to S + N - 1 (default 1)
  --seed S     the seed of the first month (default 1)
  --orders N   the number of orders at each wallet (default 100)
  --brief      stops after the first month with a broken promise, and prints no events of an order

Prints one line for each month. For a month with a broken promise, also prints the events of one order for which it is
broken. Exits with 1 if a promise is broken.`;

const say = (text: string) => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    orders: { type: "string", default: "100" },
    brief: { type: "boolean", default: false },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help === true) {
  say(HELP);
} else {
  const [seeds = 0, seed = 0, orders = 0] = [values.seeds, values.seed, values.orders].map(Number);
  if (![seeds, seed, orders].every((value) => Number.isSafeInteger(value) && value > 0)) {
    process.stderr.write("--seeds, --seed and --orders take whole numbers from 1 on: see --help.\n");
    process.exit(2);
  }
  await runMonths(seed, seeds, orders);
}

async function runMonths(first: number, seeds: number, orders: number): Promise<void> {
  const counts = { difference: 0, list: 0, limit: 0, twice: 0, report: 0 };
  const events = new Map<string, number>();
  let run = 0;
  let failed = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const began = process.cpuUsage();
    const month = await runMonth({ seed, orders });
    run += 1;
    const { user, system } = process.cpuUsage(began);
    for (const { promise } of month.broken) counts[promise] += 1;
    for (const [type, count] of month.events) events.set(type, (events.get(type) ?? 0) + count);
    const refunds = [...month.refunds].sort().map(([status, count]) => `${String(count)} ${status}`);
    const outcome = month.broken.length === 0 ? "held" : `${String(month.broken.length)} broken`;
    const seconds = ((user + system) / 1_000_000).toFixed(1);
    say(
      `seed ${String(seed)}: ${outcome}, ${String(month.orders)} orders, refunds: ${refunds.join(", ")} (${seconds} s)`,
    );
    if (month.broken.length === 0) continue;
    failed += 1;
    for (const { promise, bizNo, text } of month.broken.slice(0, 20))
      say(`  BROKEN ${promise} ${bizNo}: ${text}`);
    if (values.brief) break;
    for (const line of month.story) say(`    ${line}`);
  }
  say(
    `on the timelines: ${[...events]
      .sort()
      .map(([type, count]) => `${String(count)} ${type}`)
      .join(", ")}`,
  );
  const { difference, list, limit, twice, report } = counts;
  say(
    `${String(run)} months, ${String(failed)} with broken promises: ${String(difference)} differences, ` +
      `${String(list)} list entries left, ${String(limit)} limits broken, ${String(twice)} paid twice, ${String(report)} reports wrong`,
  );
  if (failed > 0) process.exitCode = 1;
}
