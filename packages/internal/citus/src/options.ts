import { parseArgs } from "node:util";

/** The names of the steps, in the order of a run. */
export const STEPS = [
  "suites",
  "coordinator-suites",
  "plans",
  "two-hosts",
  "simulation",
  "worker-loss",
  "coordinator-loss",
  "commit-loss",
  "costs",
] as const;
/** The name of a step. */
export type StepName = (typeof STEPS)[number];

/** The options of a run. */
export interface TestOptions {
  /** The URL of the coordinator. Without it, the run starts a cluster. */
  readonly url: string | undefined;
  readonly shards: readonly number[];
  readonly seeds: number;
  readonly kills: number;
  readonly callers: number;
  readonly plain: string | undefined;
  readonly enforce: boolean;
  readonly only: readonly StepName[];
  readonly killWorker: string | undefined;
  readonly startWorker: string | undefined;
  readonly killCoordinator: string | undefined;
  readonly startCoordinator: string | undefined;
}

/** The text of `--help`. */
export const HELP = `npm run test:citus URL [options]
npm run test:citus -- --local [options]

Tests the storage on a Citus cluster. Every step creates its own schemas, distributes them and drops them. The last line is \`N passed, N failed\`, which counts steps.

  URL                      a database of the coordinator that has the citus extension and all workers; its role must be a superuser
  --local                  start a coordinator and two workers on this machine, and stop them at the end; needs an installed Citus

  --shards N,M             the shard counts of the first five steps; the later steps use the last count (default 4,32)
  --only STEP              run this step only; may be repeated: ${STEPS.join(", ")}
  --seeds N                the number of seeds of the simulation (default 6)
  --kills N                how often the worker is killed (default 10)
  --kill-worker CMD        a shell command that kills one worker
  --start-worker CMD       a shell command that starts this worker again and returns once it accepts connections
  --kill-coordinator CMD   a shell command that kills the coordinator
  --start-coordinator CMD  a shell command that starts the coordinator again, like --start-worker
  --plain URL              a database of a PostgreSQL server without Citus, for the comparison of costs
  --callers N              concurrent callers of the comparison (default 16)
  --enforce                fail if a ratio of the comparison exceeds its target

Steps
  suites              the *.citus.test.ts files of packages/postgres and packages/cli: contract suites with direct connections to the workers
  coordinator-suites  the contract suites of hosts that connect to the coordinator only
  plans               every statement that docs/internals/statements-on-a-cluster.md marks with "one node" must be one task
  two-hosts           two host processes: 40 concurrent creations, payments, logins and reports must succeed
  simulation          npm run simulate on the cluster
  worker-loss         kills a worker under load; needs --kill-worker and --start-worker, or --local
  coordinator-loss    kills the coordinator between PREPARE and COMMIT PREPARED; needs --kill-coordinator and --start-coordinator, or --local
  commit-loss         kills a worker between PREPARE and COMMIT PREPARED of transactions that hosts began on it; needs --kill-worker and --start-worker, or --local
  costs               the p50 of frequent calls against a plain server; needs --plain

All kinds of loss count acknowledged orders that are lost or doubled, broken timelines, wrong services and prepared transactions that stay. A step without its options is not run, says so, and is not counted.`;

/** Reads the options. Returns `help`, or a text that names a problem. */
export function readOptions(args: readonly string[]): TestOptions | string {
  const { values, positionals } = parsed(args);
  if (values.help) return "help";
  const [url, ...more] = positionals;
  const shards = values.shards.split(",").map(whole);
  const only = STEPS.filter((step) => values.only?.includes(step) ?? true);
  const [seeds, kills, callers] = [whole(values.seeds), whole(values.kills), whole(values.callers)];
  if (more.length > 0 || (url === undefined) !== values.local) return "Give either one URL or --local";
  if (url !== undefined && !URL.canParse(url)) return "URL must be a postgres:// URL";
  if (values.plain !== undefined && !URL.canParse(values.plain)) return "--plain takes a postgres:// URL";
  if (values.only?.some((name) => !STEPS.some((step) => step === name)) === true)
    return `--only takes ${STEPS.join(", ")}`;
  if ([...shards, seeds, kills, callers].some(Number.isNaN)) return "A count is a whole number from 1 on";
  if ((values["kill-worker"] === undefined) !== (values["start-worker"] === undefined))
    return "Set both --kill-worker and --start-worker, or neither";
  if ((values["kill-coordinator"] === undefined) !== (values["start-coordinator"] === undefined))
    return "Set both --kill-coordinator and --start-coordinator, or neither";
  return {
    url,
    shards,
    seeds,
    kills,
    callers,
    only,
    plain: values.plain,
    enforce: values.enforce,
    killWorker: values["kill-worker"],
    startWorker: values["start-worker"],
    killCoordinator: values["kill-coordinator"],
    startCoordinator: values["start-coordinator"],
  };
}

function parsed(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      local: { type: "boolean", default: false },
      shards: { type: "string", default: "4,32" },
      only: { type: "string", multiple: true },
      seeds: { type: "string", default: "6" },
      kills: { type: "string", default: "10" },
      "kill-worker": { type: "string" },
      "start-worker": { type: "string" },
      "kill-coordinator": { type: "string" },
      "start-coordinator": { type: "string" },
      plain: { type: "string" },
      callers: { type: "string", default: "16" },
      enforce: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
}

function whole(text: string): number {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN;
}
