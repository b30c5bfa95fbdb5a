import { parseArgs } from "node:util";
import { fulfilmentTableSql } from "@tillkit/client/fulfil/postgres";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";
import { openFulfiller } from "./open-fulfiller.js";
import { type Round, runRound } from "./run-round.js";
import { startService } from "./start-service.js";
import { startVerifier, type Verifier } from "./verifier.js";

const HELP = `npm run test:system -- grant-once [--rounds N] [--verifications N]

In each round, two processes verify one paid purchase. One of the processes is killed at a random time and started again. The orders of every second round are refunded meanwhile. Counts the grants and revocations in the database. The exit code is 1 if a purchase was not granted exactly once, or if a refunded purchase was not revoked as often as it was granted.

  --rounds N          the number of rounds (default 50)
  --verifications N   the number of verifications per round, by both processes together (default 200)`;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    verifications: { type: "string", default: "200" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) say(HELP);
else if (!/^[1-9]\d{0,4}$/.test(values.rounds) || !/^[1-9]\d{0,4}$/.test(values.verifications)) {
  process.stderr.write("--rounds and --verifications take a whole number: see --help.\n");
  process.exitCode = 2;
} else await runAll(Number(values.rounds), Number(values.verifications));

async function runAll(count: number, verifications: number): Promise<void> {
  const server = await startPostgres({});
  const service = await startService();
  const { baseUrl, appId, appSecret } = service;
  const place = { databaseUrl: await createDatabase(server.url), baseUrl, appId, appSecret };
  const { fulfiller, pool } = openFulfiller(place);
  await pool.query(
    `${fulfilmentTableSql()} create table effects (biz_no text not null, effect text not null)`,
  );
  const start = () => startVerifier(place);
  const verifiers: [Verifier, Verifier] = [await start(), await start()];
  const rounds: Round[] = [];
  try {
    for (let nth = 0; nth < count; nth += 1) {
      const parts = { service, fulfiller, pool, verifiers, startVerifier: start, verifications };
      const round = await runRound(parts, nth);
      rounds.push(round);
      for (const problem of round.problems) say(`${round.bizNo}: ${problem}`);
      if ((nth + 1) % 10 === 0) say(`${String(nth + 1)} of ${String(count)} rounds`);
    }
  } finally {
    await Promise.all(verifiers.map((one) => one.kill()));
    await pool.end();
    await service.close();
    await server.stop();
  }
  const of = (matches: (round: Round) => boolean) => String(rounds.filter(matches).length);
  say(
    [
      `${String(rounds.length)} rounds, ${String(verifications)} verifications each, one process killed in each`,
      `granted once ${of(({ grants }) => grants === 1)}, not granted ${of(({ grants }) => grants === 0)}, granted twice ${of(({ grants }) => grants > 1)}`,
      `refunded ${of(({ isRefunded }) => isRefunded)}, revoked once ${of(({ revocations }) => revocations === 1)}, revoked twice ${of(({ revocations }) => revocations > 1)}`,
    ].join("\n"),
  );
  if (rounds.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
}
