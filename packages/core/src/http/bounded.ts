import type { Ports } from "../ports.js";
import { tell } from "../shared/observer.js";
import { type Bounds, openDoor } from "./door.js";
import type { HttpReply, RefusingSurface, Surface } from "./request.js";

/**
 * More at once than one merchant may have under way at a wallet that hangs (320 with the adapters' own bounds), so that reads still come in; and a
 * second's wait for a burst.
 */
const DEFAULT_BOUNDS: Bounds = { atOnce: 384, waiting: 128, waitMs: 1_000 };

/** Seconds after which a refused caller may ask again: by then every request that waits now has begun or was refused itself. */
const RETRY_AFTER = "1";

/**
 * A surface that has at most `atOnce` requests in work, and at most `waiting` that wait for at most `waitMs` behind them (384, 128 and 1 000 ms
 * unless told). One more is refused at once in the surface's own words, with `Retry-After`, and has touched no storage. First come, first served, and
 * no sender can keep the others out; a request whose client has gone is never begun. Throws on bounds that would let nothing in.
 */
export function bounded(
  { clock, observer }: Pick<Ports, "clock" | "observer">,
  surface: RefusingSurface,
  changes: Partial<Bounds> = {},
): Surface {
  const bounds = { ...DEFAULT_BOUNDS, ...changes };
  checkBounds(bounds);
  const door = openDoor(clock, bounds);
  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    async handle(request): Promise<HttpReply> {
      const sender = surface.senderOf(request);
      if (!(await door.enter(sender, request.client))) {
        tell({ observer }, { type: "request.refused", surface: surface.name });
        return surface.refuse(request, RETRY_AFTER);
      }
      try {
        return await surface.handle(request);
      } finally {
        door.leave(sender);
      }
    },
  };
}

function checkBounds({ atOnce, waiting, waitMs }: Bounds): void {
  const isWhole = (value: number, least: number) => Number.isSafeInteger(value) && value >= least;
  if (isWhole(atOnce, 1) && isWhole(waiting, 0) && isWhole(waitMs, 0)) return;
  throw new RangeError("Bounds are whole numbers: atOnce at least 1, waiting and waitMs at least 0.");
}
