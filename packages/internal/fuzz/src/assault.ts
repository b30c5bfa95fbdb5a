import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Finding, Target } from "./attack.js";

/** What to play. */
export interface AssaultOptions {
  readonly targets: readonly Pick<Target, "name" | "share">[];
  /** Requests, shared out among the targets. */
  readonly requests: number;
  /** The first seed of every target; each round has the next. */
  readonly seed: number;
  /** One story of the first round alone. */
  readonly path?: string;
  /** Processes. */
  readonly jobs: number;
  /** Called after each round with the requests so far. */
  readonly progress: (requests: number) => void;
  /** Called with each finding when it is made. */
  readonly onFinding: (finding: TargetFinding) => void;
  /** What each process runs. */
  readonly program?: string;
  /** Milliseconds without a story after which a process hangs: longer than a story may take. */
  readonly silence?: number;
}

/** What came of it. */
export interface AssaultOutcome {
  /** Requests by target. */
  readonly requests: ReadonlyMap<string, number>;
  readonly findings: number;
  /** The most memory that one process had, in kilobytes. */
  readonly peakKilobytes: number;
}

/** A finding and where it was made. */
export interface TargetFinding extends Finding {
  readonly target: string;
}

const PROGRAM = fileURLToPath(new URL("./job.ts", import.meta.url));
/** How the processes are started. One that has more than 512 megabytes on its heap dies, which is a finding. */
const NODE = ["--conditions=@tillkit/source", "--import", "tsx", "--max-old-space-size=512"];
const SILENCE = 60_000;

const message = z.union([
  z.object({ story: z.int() }),
  z.object({
    requests: z.int(),
    peakKilobytes: z.number(),
    finding: z.object({ broken: z.string(), story: z.string(), seed: z.int(), path: z.string() }).optional(),
  }),
]);
type Outcome = Extract<z.infer<typeof message>, { readonly requests: number }>;

/** Plays rounds against the targets until every one has had its requests, or one of its promises did not hold. */
export async function assault(options: AssaultOptions): Promise<AssaultOutcome> {
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
  // The one that lacks most is next, so that all end at about one time.
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

/** One round in a process. That the process dies or falls silent is a finding of its own. */
function round(
  job: ChildProcess,
  order: { readonly target: string; readonly seed: number; readonly path?: string },
  patience: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let story = 0;
    const settle = (outcome: Outcome) => {
      clearTimeout(silence);
      job.removeAllListeners();
      resolve(outcome);
    };
    const fail = (broken: string) => {
      const finding = { broken, story: "(not shortened)", seed: order.seed, path: String(story) };
      settle({ requests: 0, peakKilobytes: 0, finding });
    };
    const silence = setTimeout(() => {
      job.kill("SIGKILL");
      job.disconnect();
      fail("it hangs, and lets nothing else run");
    }, patience);
    job.on("message", (said) => {
      const told = message.parse(said);
      if ("requests" in told) settle(told);
      else {
        story = told.story;
        silence.refresh();
      }
    });
    job.on("exit", (code, signal) => fail(`the process ended with ${signal ?? String(code)}`));
    job.send(order);
  });
}
