import { echoSurface, seenIn, type Recording, type Seen } from "./echo-surface.js";
import type { OpenBinding } from "./open-binding.js";
import { sendVerbatim, type VerbatimRequest, type VerbatimReply } from "./send-verbatim.js";

/**
 * Body limit of the payments surface in bytes.
 *
 * The metrics surface accepts no body. The notifications surface accepts twice as many bytes.
 */
export const LIMIT = 1_000;

/** A running host and the requests that its surfaces received. */
export interface BindingFixture {
  readonly baseUrl: string;
  readonly recording: Recording;
  /** Sends a request and returns the reply as the client received it. */
  call(options: VerbatimRequest): Promise<VerbatimReply>;
  /** Sends a request and returns the request as the surface received it. */
  seen(options: VerbatimRequest): Promise<Seen>;
  /** Returns the request that led to a reply. */
  seenBy(reply: Buffer | string): Seen;
  close(): Promise<void>;
}

/** Starts a host with three recording surfaces. */
export async function openBindingFixture(open: OpenBinding): Promise<BindingFixture> {
  const recording: Recording = { seen: [] };
  const host = await open({
    payments: echoSurface("payments", LIMIT, recording),
    metrics: echoSurface("metrics", 0, recording),
    notifications: echoSurface("notifications", 2 * LIMIT, recording),
  });
  const call = (options: VerbatimRequest) => sendVerbatim(host.baseUrl, options);
  const seenBy = (reply: Buffer | string) => seenIn(recording, reply.toString());
  const seen = async (options: VerbatimRequest) => seenBy((await call(options)).body);
  return { baseUrl: host.baseUrl, recording, call, seen, seenBy, close: () => host.close() };
}
