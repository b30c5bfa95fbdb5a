import type { Ports } from "../ports.js";
import { tell } from "../shared/tell.js";
import { type Bounds, openDoor } from "./door.js";
import { peerKey } from "./peer-key.js";
import type { HttpReply, RefusingSurface, Refuse, Surface } from "./request.js";

/**
 * The default limits.
 *
 * More concurrent requests than one merchant can have pending at a wallet that hangs (320 with the
 * limits of the wallet packages), so that reads still get a place. A burst may wait for a second.
 */
const DEFAULT_BOUNDS: Bounds = { atOnce: 384, waiting: 128, waitMs: 1_000 };

/**
 * The `Retry-After` of a refused request, in seconds.
 *
 * After this time, every request that waits now has started or was refused.
 */
const RETRY_AFTER = "1";

/**
 * Limits the number of concurrent requests of a surface, and shares the places fairly.
 *
 * - At most `atOnce` requests run at a time, by default 384. At most `waiting` more wait for up to
 *   `waitMs`, by default 128 and 1 000 ms. Beyond both limits, Tillkit refuses a request
 *   immediately.
 * - A refusal has the response format of the surface and a `Retry-After` header. Creating it does
 *   not access storage.
 * - Trusted senders share the places: an app with its secret, or a wallet with its signature. An
 *   untrusted request first takes one of as many other places, which addresses (`HttpRequest.peer`)
 *   share. Requests with false claims therefore never take a place from a trusted sender.
 * - A request does not start if its client has disconnected.
 *
 * @throws RangeError if the limits are out of range.
 * @see docs/decisions/2026-11-21-concurrency-limits.md
 */
export function bounded(
  { clock, observer }: Pick<Ports, "clock" | "observer">,
  surface: RefusingSurface,
  changes: Partial<Bounds> = {},
): Surface {
  const bounds = { ...DEFAULT_BOUNDS, ...changes };
  checkBounds(bounds);
  const answers = openDoor(clock, bounds);
  const proofs = openDoor(clock, bounds);

  function refused(refuse: Refuse): HttpReply {
    tell({ observer }, { type: "request.refused", surface: surface.name });
    return refuse(RETRY_AFTER);
  }

  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    async handle(request): Promise<HttpReply> {
      let admission = surface.admit(request);
      if (admission.kind === "unproven") {
        const peer = peerKey(request.peer);
        if (!(await proofs.enter(peer, request.client))) return refused(admission.refuse);
        try {
          admission = await admission.prove();
        } finally {
          proofs.leave(peer);
        }
      }
      if (admission.kind === "answered") return admission.reply;
      const { sender, refuse } = admission;
      const entering = answers.enter(sender, request.client);
      const waited = typeof entering !== "boolean";
      if (!(waited ? await entering : entering)) return refused(refuse);
      try {
        return await admission.answer(waited);
      } finally {
        answers.leave(sender);
      }
    },
  };
}

/** The largest accepted number of places. No process can use as many. */
const MOST_PLACES = 1_000_000;
/** The longest accepted wait: an hour, in milliseconds. */
const LONGEST_WAIT = 3_600_000;

function checkBounds({ atOnce, waiting, waitMs }: Bounds): void {
  const isWhole = (value: number, least: number, most: number) =>
    Number.isSafeInteger(value) && value >= least && value <= most;
  const fit =
    isWhole(atOnce, 1, MOST_PLACES) && isWhole(waiting, 0, MOST_PLACES) && isWhole(waitMs, 0, LONGEST_WAIT);
  if (fit) return;
  throw new RangeError(
    "Bounds are whole numbers: atOnce from 1 to 1000000, waiting from 0 to 1000000, waitMs from 0 to 3600000.",
  );
}
