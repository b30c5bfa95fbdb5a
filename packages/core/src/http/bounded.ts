import type { Ports } from "../ports.js";
import { tell } from "../shared/tell.js";
import { type Bounds, openDoor } from "./door.js";
import { peerKey } from "./peer-key.js";
import type { HttpReply, RefusingSurface, Refuse, Surface } from "./request.js";

/**
 * More at once than one merchant may have under way at a wallet that hangs (320 with the adapters' own bounds), so that reads still come in; and a
 * second's wait for a burst.
 */
const DEFAULT_BOUNDS: Bounds = { atOnce: 384, waiting: 128, waitMs: 1_000 };

/** Seconds after which a refused caller may ask again: by then every request that waits now has begun or was refused itself. */
const RETRY_AFTER = "1";

/**
 * Limits the number of concurrent requests of a surface, and shares the places fairly.
 *
 * - At most `atOnce` requests are answered at a time. At most `waiting` more wait for up to
 *   `waitMs` (by default 384, 128 and 1 000 ms). One more is refused at once in the words of the
 *   surface, with `Retry-After`, and has touched no storage.
 * - The places are shared between senders whose identity is proven: an app by its secret, a wallet
 *   by its signature. A request that still has to prove its sender takes one of as many other
 *   places, which are shared between addresses (`HttpRequest.peer`). So claims that prove
 *   false never take a place from a sender that is known.
 * - A request whose client has gone is never begun.
 *
 * Throws a `RangeError` if the bounds are out of range.
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

/** More places than a process could ever fill. */
const MOST_PLACES = 1_000_000;
/** An hour: no client waits for so long. */
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
