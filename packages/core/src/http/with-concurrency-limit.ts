import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import { type ConcurrencyLimits, createConcurrencyLimiter } from "./concurrency-limiter.js";
import { peerKey } from "../shared/peer-key.js";
import type { HttpReply, LimitableSurface, RejectionReply, Surface } from "./request.js";
import { whenReplyEnds } from "./when-reply-ends.js";

/**
 * The default limits.
 *
 * At most 320 requests of one merchant can wait for a wallet that does not reply, with the limits
 * of the wallet packages. `maxConcurrent` is larger, so that reads still get a slot. A burst may
 * wait for a second.
 */
const DEFAULT_LIMITS: ConcurrencyLimits = { maxConcurrent: 384, maxQueued: 128, queueTimeoutMs: 1_000 };

/**
 * The `Retry-After` of a rejected request, in seconds.
 *
 * With the default `queueTimeoutMs`, every request that waits now has by then started or been
 * rejected.
 */
const RETRY_AFTER = "1";

/**
 * Limits the number of concurrent requests of a surface, and shares the slots fairly.
 *
 * - At most `maxConcurrent` requests run at a time, by default 384. At most `maxQueued` more wait
 *   for up to `queueTimeoutMs`, by default 128 and 1 000 ms. Beyond both limits, Tillkit rejects a
 *   request immediately.
 * - A rejection has the response format of the surface and a `Retry-After` header. Creating it does
 *   not access storage.
 * - Trusted senders share the slots: an app with its secret, or a wallet with its signature. An
 *   untrusted request first takes a slot of a second set of the same size, which the addresses
 *   (`HttpRequest.peer`) share. Requests with false claims therefore never take a slot from a
 *   trusted sender.
 * - A request does not start if its client has disconnected.
 * - A streamed reply keeps its slot until the stream has ended. An event stream releases its slot
 *   when it opens.
 *
 * @returns a surface that owns the same paths.
 * @throws RangeError if the limits are out of range.
 * @example
 * ```ts
 * import { paymentsSurface, withConcurrencyLimit } from "@tillkit/core/http";
 *
 * const payments = withConcurrencyLimit(ports, paymentsSurface(ports), { maxConcurrent: 64 });
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/concurrency-limits.md |
 *   Every surface limits its concurrent requests}
 */
export function withConcurrencyLimit(
  ports: Pick<Ports, "clock" | "observer">,
  surface: LimitableSurface<string>,
  changes?: Partial<ConcurrencyLimits>,
): Surface<string>;
/** Limits a surface that also replies with bytes or streams. */
export function withConcurrencyLimit(
  ports: Pick<Ports, "clock" | "observer">,
  surface: LimitableSurface,
  changes?: Partial<ConcurrencyLimits>,
): Surface;
export function withConcurrencyLimit(
  { clock, observer }: Pick<Ports, "clock" | "observer">,
  surface: LimitableSurface,
  changes: Partial<ConcurrencyLimits> = {},
): Surface {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  checkLimits(limits);
  const answers = createConcurrencyLimiter(clock, limits);
  const authentications = createConcurrencyLimiter(clock, limits);

  function rejected(reject: RejectionReply): HttpReply {
    emit({ observer }, { type: "request.refused", surface: surface.name });
    return reject(RETRY_AFTER);
  }

  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    async handle(request): Promise<HttpReply> {
      let admission = surface.admit(request);
      if (admission.kind === "untrusted") {
        const peer = peerKey(request.peer);
        if (!(await authentications.acquire(peer, request.client))) return rejected(admission.reject);
        try {
          admission = await admission.authenticate();
        } finally {
          authentications.release(peer);
        }
      }
      if (admission.kind === "answered") return admission.reply;
      const { sender, reject } = admission;
      const place = answers.acquire(sender, request.client);
      const hasWaited = typeof place !== "boolean";
      if (!(hasWaited ? await place : place)) return rejected(reject);
      let reply: HttpReply;
      try {
        reply = await admission.answer(hasWaited);
      } catch (error) {
        answers.release(sender);
        throw error;
      }
      return whenReplyEnds(reply, () => answers.release(sender));
    },
  };
}

/** The largest accepted number of slots. No process can use so many. */
const MAX_SLOTS = 1_000_000;
/** The longest accepted wait: an hour, in milliseconds. */
const MAX_QUEUE_TIMEOUT_MS = 3_600_000;

function checkLimits({ maxConcurrent, maxQueued, queueTimeoutMs }: ConcurrencyLimits): void {
  const isWhole = (value: number, least: number, most: number) =>
    Number.isSafeInteger(value) && value >= least && value <= most;
  const fit =
    isWhole(maxConcurrent, 1, MAX_SLOTS) &&
    isWhole(maxQueued, 0, MAX_SLOTS) &&
    isWhole(queueTimeoutMs, 0, MAX_QUEUE_TIMEOUT_MS);
  if (fit) return;
  throw new RangeError(
    "Concurrency limits are whole numbers: maxConcurrent from 1 to 1000000, maxQueued from 0 to 1000000, queueTimeoutMs from 0 to 3600000.",
  );
}
