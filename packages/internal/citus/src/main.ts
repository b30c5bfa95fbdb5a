import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findCitus, startCitus } from "@tillkit/local-postgres";
import { root } from "@tillkit/repository";
import { clientOf, isCoordinator, withShardCount } from "./cluster-schema.js";
import { commandControl, localControls, type NodeControls, workerUrl } from "./node-controls.js";
import { HELP, readOptions, type StepName, type TestOptions } from "./options.js";
import type { Outcome } from "./outcome.js";
import { newStepRunner } from "./step-runner.js";
import { commitLoss } from "./steps/commit-loss.js";
import { compareCosts } from "./steps/compare-costs.js";
import { runSimulation } from "./steps/run-simulation.js";
import { runSuites } from "./steps/run-suites.js";
import { twoHosts } from "./steps/two-hosts.js";
import { workerLoss } from "./steps/worker-loss.js";

/** The test file of the plans. All other files of a cluster are storage suites. */
const PLANS = "plans.citus.test.ts";
/** The test file of the contract suites. */
const CONTRACT = "contract.citus.test.ts";

const say = (text: string) => void process.stdout.write(`${text}\n`);

const read = readOptions(process.argv.slice(2));
if (read === "help") say(HELP);
else if (typeof read === "string") {
  process.stderr.write(`${read}: see --help.\n`);
  process.exitCode = 2;
} else if (read.url !== undefined) {
  const { killWorker, startWorker, killCoordinator, startCoordinator } = read;
  await runAll(read, read.url, {
    worker: commandControl(killWorker, startWorker),
    coordinator: commandControl(killCoordinator, startCoordinator),
  });
} else await runLocally(read);

/** Runs all steps on a cluster that this process starts, if the machine has Citus. */
async function runLocally(options: TestOptions): Promise<void> {
  const given = process.env["TEST_POSTGRES_PROGRAMS"] ?? "";
  const programs = await findCitus(given === "" ? undefined : given);
  if (programs === undefined) {
    say("Citus is not installed on this machine, so nothing was run on a cluster.");
    return;
  }
  const cluster = await startCitus(programs);
  try {
    await runAll(options, cluster.url, localControls(cluster));
  } finally {
    await cluster.stop();
  }
}

async function requireCitus(url: string): Promise<void> {
  const sql = clientOf(url, 1);
  try {
    if (!(await isCoordinator(sql)))
      throw new Error("The database has no Citus extension: run `create extension citus` on all nodes.");
  } finally {
    await sql.close();
  }
}

async function runAll(options: TestOptions, url: string, nodes: NodeControls): Promise<void> {
  await requireCitus(url);
  const steps = newStepRunner(say);
  const step = async (name: StepName, title: string, work: () => Promise<Outcome>) => {
    if (options.only.includes(name)) await steps.run(title, work);
  };
  for (const shards of options.shards) {
    const at = withShardCount(url, shards);
    const env = { TEST_CITUS_URL: at, TEST_DATABASE_URL: at, TEST_CITUS_NODES: "direct" };
    const of = `${String(shards)} shards`;
    await step("suites", `storage suites, ${of}`, async () => runSuites(await suiteFiles(), env));
    await step("coordinator-suites", `storage suites through the coordinator, ${of}`, () =>
      runSuites([CONTRACT], { ...env, TEST_CITUS_NODES: "coordinator" }),
    );
    await step("plans", `plans, ${of}`, () => runSuites([PLANS], env));
    await step("two-hosts", `two hosts, ${of}`, () => twoHosts(at));
    await step("simulation", `simulation, ${of}`, () => runSimulation(at, options.seeds));
  }
  const last = withShardCount(url, options.shards.at(-1) ?? 32);
  await step("worker-loss", "loss of a worker under load", async () =>
    nodes.worker === undefined
      ? notRun("--kill-worker and --start-worker are not set")
      : workerLoss(last, nodes.worker, options.kills, (line) => say(`   ${line}`)),
  );
  await step("coordinator-loss", "loss of the coordinator between PREPARE and COMMIT PREPARED", async () =>
    nodes.coordinator === undefined
      ? notRun("--kill-coordinator and --start-coordinator are not set")
      : commitLoss(last, { name: "coordinator", url, control: nodes.coordinator }),
  );
  await step("commit-loss", "loss of a worker between PREPARE and COMMIT PREPARED", async () =>
    nodes.worker === undefined
      ? notRun("--kill-worker and --start-worker are not set")
      : commitLoss(last, {
          name: "worker",
          url: await workerUrl(url, nodes.worker),
          control: nodes.worker,
        }),
  );
  await step("costs", "costs against one server", async () =>
    options.plain === undefined
      ? notRun("--plain is not set")
      : compareCosts({
          citus: last,
          plain: options.plain,
          callers: options.callers,
          enforce: options.enforce,
        }),
  );
  process.exitCode = steps.finish();
}

function notRun(why: string): Outcome {
  return { status: "not run", lines: [`not run: ${why}`] };
}

async function suiteFiles(): Promise<readonly string[]> {
  const files = await readdir(join(root, "packages/postgres/src"), { recursive: true });
  return files.filter((file) => file.endsWith(".citus.test.ts") && basename(file) !== PLANS);
}
