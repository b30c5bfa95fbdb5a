import { parseArgs } from "node:util";
import type { Audit } from "./audit.js";
import { runWeek } from "./run-week.js";

const HELP = `npm run simulate:refunds -- [--seed S] [--refunds N] [--days D]

Runs a week of refunds over HTTP: the real wallet adapters against the simulated wallets, with refunds that take days, become
ABNORMAL or are CLOSED, an empty balance, rate limits, lost answers and lost notifications.

  --seed S     plans the week (default 1)
  --refunds N  orders that are refunded at each wallet (default 24)
  --days D     simulated days (default 8)

Prints the calls for each refund and day and the sums of money. Exits with 1 if a refund neither ended nor has an alarm, if calls
come closer than the wallets allow, or if the sums differ.`;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const reportProblem = (text: string) => void process.stderr.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    refunds: { type: "string", default: "24" },
    days: { type: "string", default: "8" },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help === true) {
  say(HELP);
} else {
  const [seed, refunds, days] = [values.seed, values.refunds, values.days].map(Number);
  if (![seed, refunds, days].every((value) => Number.isSafeInteger(value) && Number(value) > 0)) {
    reportProblem("--seed, --refunds and --days take whole numbers from 1 on: see --help.");
    process.exit(2);
  }
  const audit = await runWeek({
    seed: seed ?? 1,
    refunds: refunds ?? 1,
    days: days ?? 1,
    onDay: (day) => reportProblem(`day ${String(day)} of ${String(days)}`),
  });
  print(audit);
  process.exitCode = audit.broken.length === 0 ? 0 : 1;
}

function print({ refunds, money, broken }: Audit): void {
  say("refund                     status             sent asked  calls by day            alarms");
  for (const { refundNo, status, sent, requestCount, callsByDay, alarms } of refunds) {
    const calls = callsByDay.join(" ");
    say(
      `${refundNo.padEnd(26)} ${status.padEnd(18)} ${String(sent).padStart(4)} ${String(requestCount).padStart(5)}  ${calls.padEnd(23)} ${alarms.join(" ")}`,
    );
  }
  for (const { payChannel, paid, refundedHere, refundedThere, underWay, settled, balanceThere } of money) {
    say(
      `${payChannel}: paid ${String(paid)}, refunded ${String(refundedHere)} in the record and ${String(refundedThere)} at the wallet, ` +
        `in progress ${String(underWay)}, settled by other means ${String(settled)}, balance at the wallet ${String(balanceThere)} cents`,
    );
  }
  for (const line of broken) say(`BROKEN ${line}`);
  const most = Math.max(0, ...refunds.flatMap(({ callsByDay }) => callsByDay));
  say(
    `${String(refunds.length)} refunds, at most ${String(most)} calls for one refund and day: ` +
      (broken.length === 0 ? "every invariant held." : `${String(broken.length)} promises broken.`),
  );
}
