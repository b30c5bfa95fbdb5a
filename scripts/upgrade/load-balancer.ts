import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { newTrafficCounts, type Outcome, type TrafficCounts } from "./traffic-counts.js";

/** A host behind the load balancer. */
export interface Upstream {
  readonly name: string;
  readonly api: string;
  readonly admin: string;
}

/** Distributes requests among the ready hosts, over connections that it keeps open. */
export interface LoadBalancer {
  readonly url: string;
  readonly counts: TrafficCounts;
  /** Adds a host. It receives requests once it is ready. */
  add(upstream: Upstream): void;
  /** Resolves when exactly `names` are ready. */
  ready(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The period of the readiness checks, in milliseconds. */
const CHECK_EVERY = 100;
/** How long a host may take to become ready or not ready, in milliseconds. */
const DEADLINE = 20_000;

/**
 * Opens a load balancer on 127.0.0.1.
 *
 * It never repeats a request, so each connection that a host closes too early is a failure.
 */
export async function openLoadBalancer(): Promise<LoadBalancer> {
  const counts = newTrafficCounts();
  const upstreams: Upstream[] = [];
  const ready = new Set<Upstream>();
  const agent = new Agent({ keepAlive: true });
  let [turn, open] = [0, true];

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const { method = "GET", url = "/" } = incoming;
    // It reads the replies to count their codes, so it does not ask for compressed ones.
    const { "accept-encoding": _codings, ...headers } = incoming.headers;
    const body = await buffer(incoming);
    const hosts = [...ready];
    const host = hosts[(turn += 1) % Math.max(1, hosts.length)];
    const outcome: Forwarded =
      host === undefined
        ? { problem: "no host is ready" }
        : await forward(`${host.api}${url}`, { method, headers, agent }, body);
    const [path = ""] = url.split("?");
    counts.count(host?.name ?? "none", `${method} ${path}`, outcome, performance.now() - began);
    if ("problem" in outcome) response.writeHead(502).end(JSON.stringify(outcome));
    else response.writeHead(outcome.status, withoutHopHeaders(outcome.headers)).end(outcome.body);
  }

  async function check(upstream: Upstream): Promise<void> {
    const answer = await fetch(`${upstream.admin}/health/ready`).catch(() => undefined);
    if (answer?.status === 200) ready.add(upstream);
    else ready.delete(upstream);
    await answer?.text().catch(() => "");
  }

  const checking = (async () => {
    while (open) {
      await Promise.all(upstreams.map(check));
      await pause(CHECK_EVERY);
    }
  })();
  const server = createServer((incoming, response) => void pass(incoming, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${String(port)}`,
    counts,
    add: (upstream) => void upstreams.push(upstream),
    ready: async (names) => {
      const wanted = names.toSorted().join(", ");
      for (let waited = 0; waited < DEADLINE; waited += CHECK_EVERY) {
        if (readyNames(ready) === wanted) return;
        await pause(CHECK_EVERY);
      }
      throw new Error(`Expected the ready hosts ${wanted}, found ${readyNames(ready)}.`);
    },
    close: async () => {
      open = false;
      await checking;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

type Forwarded = Outcome & { readonly headers?: IncomingMessage["headers"] };

async function forward(
  url: string,
  options: { readonly method: string; readonly headers: IncomingMessage["headers"]; readonly agent: Agent },
  body: Buffer,
): Promise<Forwarded> {
  try {
    const request = send(url, options).end(body);
    const [answer] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(request, "response"));
    const text = (await buffer(answer)).toString();
    return { status: answer.statusCode ?? 502, body: text, headers: answer.headers };
  } catch (problem) {
    return { problem: String(problem) };
  }
}

/** Removes the headers of one connection, which do not hold for the caller's connection. */
function withoutHopHeaders(headers: IncomingMessage["headers"] = {}): IncomingMessage["headers"] {
  const {
    connection: _connection,
    "keep-alive": _keepAlive,
    "transfer-encoding": _chunked,
    ...kept
  } = headers;
  return kept;
}

function readyNames(ready: ReadonlySet<Upstream>): string {
  return [...ready]
    .map(({ name }) => name)
    .toSorted()
    .join(", ");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
