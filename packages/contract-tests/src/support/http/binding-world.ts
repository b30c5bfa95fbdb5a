import { echoSurface, seenIn, type Recording, type Seen } from "./echo-surface.js";
import type { OpenBinding } from "../../suites/http/binding.js";
import { exchange, type Call, type Exchanged } from "./exchange.js";

/** How many bytes the payments surface takes; metrics takes none, notifications twice as many. */
export const LIMIT = 1_000;

/** One host under test and what its surfaces have seen. */
export interface BindingWorld {
  readonly baseUrl: string;
  readonly recording: Recording;
  /** Sends a request and gives the reply as the client got it. */
  call(options: Call): Promise<Exchanged>;
  /** Sends a request and gives it as the surface got it. */
  seen(options: Call): Promise<Seen>;
  /** The request that led to a reply. */
  seenBy(reply: Buffer | string): Seen;
  close(): Promise<void>;
}

/** Opens a host with three recording surfaces. */
export async function openBindingWorld(open: OpenBinding): Promise<BindingWorld> {
  const recording: Recording = { seen: [] };
  const host = await open({
    payments: echoSurface("payments", LIMIT, recording),
    metrics: echoSurface("metrics", 0, recording),
    notifications: echoSurface("notifications", 2 * LIMIT, recording),
  });
  const call = (options: Call) => exchange(host.baseUrl, options);
  const seenBy = (reply: Buffer | string) => seenIn(recording, reply.toString());
  const seen = async (options: Call) => seenBy((await call(options)).body);
  return { baseUrl: host.baseUrl, recording, call, seen, seenBy, close: () => host.close() };
}
