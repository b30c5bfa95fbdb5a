import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { FuzzFinding, FuzzTarget } from "./fuzz-target.js";

/** The options of a run. */
export interface FuzzOptions {
  readonly targets: readonly Pick<FuzzTarget, "name" | "share">[];
  /** The number of requests, distributed over the targets. */
  readonly requests: number;
  /** The first seed of every target. Each round increments it. */
  readonly seed: number;
  /** A single test case of the first round. */
  readonly path?: string;
  /** The number of processes. */
  readonly jobs: number;
  /** Called after each round with the number of requests so far. */
  readonly progress: (requests: number) => void;
  /** Called with each finding. */
  readonly onFinding: (finding: TargetFinding) => void;
  /** The program of each process. */
  readonly program?: string;
  /**
   * Milliseconds without a new test case after which a process counts as hung.
   *
   * It must exceed the timeout of a test case.
   */
  readonly silence?: number;
}

/** The outcome of a run. */
export interface FuzzOutcome {
  /** The number of requests, by target. */
  readonly requests: ReadonlyMap<string, number>;
  readonly findings: number;
  /** The largest memory use of one process, in kilobytes. */
  readonly peakKilobytes: number;
}

/** A finding and its target. */
export interface TargetFinding extends FuzzFinding {
  readonly target: string;
}

const PROGRAM = fileURLToPath(new URL("./job.ts", import.meta.url));
/** The Node options of the processes. A heap above 512 megabytes is a finding: the process ends. */
const NODE = ["--conditions=@tillkit/source", "--import", "tsx", "--max-old-space-size=512"];
const SILENCE = 60_000;

const message = z.union([
  z.object({ caseNumber: z.int() }),
  z.object({
    requests: z.int(),
    peakKilobytes: z.number(),
    finding: z
      .object({ broken: z.string(), explanation: z.string(), seed: z.int(), path: z.string() })
      .optional(),
  }),
]);
type Outcome = Extract<z.infer<typeof message>, { readonly requests: number }>;

/** Plays rounds until every target has had its requests or a finding. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const { targets, path, progress, program = PROGRAM, silence = SILENCE } = options;
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  const lanes = targets.map(({ name, share }) => ({
    name,
    wanted: Math.ceil((options.requests * share) / shares),
    requests: 0,
    seed: options.seed,
    isOver: false,
  }));
  let findings = 0;
  let peakKilobytes = 0;
  // The target with the smallest progress is next, so that all end at about the same time.
  const next = () =>
    lanes
      .filter(({ isOver, requests, wanted }) => !isOver && requests < wanted)
      .sort((left, right) => left.requests / left.wanted - right.requests / right.wanted)[0];

  async function work(): Promise<void> {
    let job: ChildProcess | undefined;
    for (let lane = next(); lane !== undefined; lane = next()) {
      const order = { target: lane.name, seed: lane.seed, ...(path === undefined ? {} : { path }) };
      lane.seed += 1;
      job ??= fork(program, { execArgv: NODE });
      const ended = await round(job, order, silence);
      if (!job.connected) job = undefined;
      const { requests, finding } = ended;
      lane.requests += requests;
      lane.isOver ||= path !== undefined || finding !== undefined;
      if (finding !== undefined) {
        findings += 1;
        options.onFinding({ target: lane.name, ...finding });
      }
      peakKilobytes = Math.max(peakKilobytes, ended.peakKilobytes);
      progress(lanes.reduce((sum, one) => sum + one.requests, 0));
    }
    job?.disconnect();
  }

  await Promise.all(Array.from({ length: path === undefined ? options.jobs : 1 }, work));
  const requests = new Map(lanes.map((lane) => [lane.name, lane.requests]));
  return { requests, findings, peakKilobytes };
}

/** Plays one round in a process. Reports a finding if the process dies or hangs. */
function round(
  job: ChildProcess,
  order: { readonly target: string; readonly seed: number; readonly path?: string },
  patience: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let caseNumber = 0;
    const settle = (outcome: Outcome) => {
      clearTimeout(silence);
      job.removeAllListeners();
      resolve(outcome);
    };
    const fail = (broken: string) => {
      const finding = { broken, explanation: "(not shortened)", seed: order.seed, path: String(caseNumber) };
      settle({ requests: 0, peakKilobytes: 0, finding });
    };
    const silence = setTimeout(() => {
      job.kill("SIGKILL");
      job.disconnect();
      fail("it hangs and blocks the process");
    }, patience);
    job.on("message", (received) => {
      const reported = message.parse(received);
      if ("requests" in reported) settle(reported);
      else {
        caseNumber = reported.caseNumber;
        silence.refresh();
      }
    });
    job.on("exit", (code, signal) => fail(`the process ended with ${signal ?? String(code)}`));
    job.send(order);
  });
}
