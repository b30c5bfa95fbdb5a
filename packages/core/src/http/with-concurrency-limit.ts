import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import { type ConcurrencyLimits, createConcurrencyLimiter } from "./concurrency-limiter.js";
import { peerKey } from "./peer-key.js";
import type { HttpReply, LimitableSurface, Refuse, Surface } from "./request.js";

/**
 * The default limits.
 *
 * More concurrent requests than one merchant can have pending at a wallet that hangs (320 with the
 * limits of the wallet packages), so that reads still get a slot. A burst may wait for a second.
 */
const DEFAULT_LIMITS: ConcurrencyLimits = { maxConcurrent: 384, maxQueued: 128, queueTimeoutMs: 1_000 };

/**
 * The `Retry-After` of a refused request, in seconds.
 *
 * After this time, every request that waits now has started or was refused.
 */
const RETRY_AFTER = "1";

/**
 * Limits the number of concurrent requests of a surface, and shares the slots fairly.
 *
 * - At most `maxConcurrent` requests run at a time, by default 384. At most `maxQueued` more wait
 *   for up to `queueTimeoutMs`, by default 128 and 1 000 ms. Beyond both limits, Tillkit refuses a
 *   request immediately.
 * - A refusal has the response format of the surface and a `Retry-After` header. Creating it does
 *   not access storage.
 * - Trusted senders share the slots: an app with its secret, or a wallet with its signature. An
 *   untrusted request first takes one of as many other slots, which addresses (`HttpRequest.peer`)
 *   share. Requests with false claims therefore never take a slot from a trusted sender.
 * - A request does not start if its client has disconnected.
 *
 * @returns a surface that owns the same paths.
 * @throws RangeError if the limits are out of range.
 * @example
 * ```ts
 * import { paymentsSurface, withConcurrencyLimit } from "@tillkit/core/http";
 *
 * const payments = withConcurrencyLimit(ports, paymentsSurface(ports), { maxConcurrent: 64 });
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/concurrency-limits.md | Every surface limits its concurrent requests}
 */
export function withConcurrencyLimit(
  { clock, observer }: Pick<Ports, "clock" | "observer">,
  surface: LimitableSurface,
  changes: Partial<ConcurrencyLimits> = {},
): Surface {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  checkLimits(limits);
  const answers = createConcurrencyLimiter(clock, limits);
  const proofs = createConcurrencyLimiter(clock, limits);

  function refused(refuse: Refuse): HttpReply {
    emit({ observer }, { type: "request.refused", surface: surface.name });
    return refuse(RETRY_AFTER);
  }

  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    async handle(request): Promise<HttpReply> {
      let admission = surface.admit(request);
      if (admission.kind === "unproven") {
        const peer = peerKey(request.peer);
        if (!(await proofs.acquire(peer, request.client))) return refused(admission.refuse);
        try {
          admission = await admission.prove();
        } finally {
          proofs.release(peer);
        }
      }
      if (admission.kind === "answered") return admission.reply;
      const { sender, refuse } = admission;
      const entering = answers.acquire(sender, request.client);
      const waited = typeof entering !== "boolean";
      if (!(waited ? await entering : entering)) return refused(refuse);
      try {
        return await admission.answer(waited);
      } finally {
        answers.release(sender);
      }
    },
  };
}

/** The largest accepted number of slots. No process can use as many. */
const MOST_PLACES = 1_000_000;
/** The longest accepted wait: an hour, in milliseconds. */
const LONGEST_WAIT = 3_600_000;

function checkLimits({ maxConcurrent, maxQueued, queueTimeoutMs }: ConcurrencyLimits): void {
  const isWhole = (value: number, least: number, most: number) =>
    Number.isSafeInteger(value) && value >= least && value <= most;
  const fit =
    isWhole(maxConcurrent, 1, MOST_PLACES) &&
    isWhole(maxQueued, 0, MOST_PLACES) &&
    isWhole(queueTimeoutMs, 0, LONGEST_WAIT);
  if (fit) return;
  throw new RangeError(
    "Concurrency limits are whole numbers: maxConcurrent from 1 to 1000000, maxQueued from 0 to 1000000, queueTimeoutMs from 0 to 3600000.",
  );
}
