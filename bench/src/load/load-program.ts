import autocannon from "autocannon";
import { z } from "zod";
import { runAsProgram } from "../harness/run-as-program.js";
import { CAPTURE_HEADER } from "../harness/capture.js";
import { quantile } from "../harness/figures.js";
import { fillIn, type Filling, workNumbers } from "./fill-in.js";
import { type Load, loadFacts, type loadResult, type sample, type LoadStep, workItem } from "./load.js";

/** Timeout of a response in seconds, longer than a slow server needs on a busy machine. */
const TIMEOUT = 60;

const question = z.union([
  z.object({ ms: z.number() }),
  z.object({ items: z.array(workItem) }),
  z.enum(["sample", "taken"]),
]);

/** Generates load for a given time, or does the operation once and returns its answer. */
runAsProgram(async (facts) => {
  const { load, port, run } = loadFacts.parse(facts);
  const origin = `http://127.0.0.1:${port}`;
  const numbers = workNumbers(load);
  return {
    says: "ready",
    answer: async (requested) => {
      const wanted = question.parse(requested);
      if (wanted === "sample") return lastOf(origin, load, { n: numbers.next(), run });
      if (wanted === "taken") return numbers.taken();
      if ("ms" in wanted) return play(origin, load, run, numbers.next, wanted.ms);
      load.items?.push(...wanted.items);
      return "added";
    },
  };
});

async function lastOf(origin: string, load: Load, filling: Filling): Promise<z.infer<typeof sample>> {
  let last: z.infer<typeof sample> = { status: 0, body: "" };
  let kept: string | undefined;
  for (const step of load.steps) {
    const filled = fillIn(step, load, kept === undefined ? filling : { ...filling, kept });
    const { path, method, headers, body = null } = filled;
    const response = await fetch(origin + path, { method, headers, body });
    kept = response.headers.get(CAPTURE_HEADER) ?? undefined;
    // A response with the status 204 has no body, even if its type is JSON.
    const isJson =
      response.status !== 204 &&
      response.headers.get("content-type")?.startsWith("application/json") === true;
    last = { status: response.status, body: await (isJson ? response.json() : response.text()) };
  }
  return last;
}

async function play(
  origin: string,
  load: Load,
  run: string,
  nextNumber: () => number,
  ms: number,
): Promise<z.infer<typeof loadResult> | null> {
  const requests = load.steps.map((step, index) => requestOf(step, index, load, run, nextNumber));
  const times: number[] = [];
  const startedAt = performance.now();
  let lastAt = startedAt;
  let wrongAnswer = "";
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const tracker = autocannon(
      {
        url: origin,
        connections: load.connections,
        duration: ms / 1_000,
        sampleInt: 50,
        requests,
        timeout: TIMEOUT,
        verifyBody: (body = "") => {
          const right = body.includes(load.expects);
          if (!right) wrongAnswer = body.toString();
          return right;
        },
      },
      (failure: unknown, ended) => {
        if (failure instanceof Error) reject(failure);
        else resolve(ended);
      },
    );
    tracker.on("response", (_client, _status, _bytes, time) => {
      times.push(time);
      lastAt = performance.now();
    });
  });
  const wrong = result.errors + result.non2xx + result.mismatches;
  if (wrong > 0) {
    const kinds = `${result.errors} did not come, ${result.non2xx} had another status`;
    throw new Error(
      `${wrong} of ${times.length} answers were wrong (${kinds}); one of them is ${wrongAnswer}`,
    );
  }
  if (times.length === 0) return null;
  const works = times.length / load.steps.length;
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: (works * 1_000) / (lastAt - startedAt),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    works,
  };
}

/** The state of one connection between the requests of an operation. */
interface Context {
  n?: number;
  kept?: string;
}

function requestOf(
  step: LoadStep,
  index: number,
  load: Load,
  run: string,
  nextNumber: () => number,
): autocannon.Request {
  return {
    setupRequest: (request, context: Context) => {
      if (index === 0 || context.n === undefined) context.n = nextNumber();
      const filling = { n: context.n, run, ...(context.kept === undefined ? {} : { kept: context.kept }) };
      return { ...request, ...fillIn(step, load, filling) };
    },
    ...(load.steps.length === 1
      ? {}
      : {
          onResponse: (_status, _body, context: Context, headers) => {
            const kept = Object.entries(headers ?? {}).find(
              ([name]) => name.toLowerCase() === CAPTURE_HEADER,
            )?.[1];
            if (typeof kept === "string") context.kept = kept;
          },
        }),
  };
}
