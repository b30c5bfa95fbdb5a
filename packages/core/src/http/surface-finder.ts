import type { Surface } from "./request.js";

/** Surfaces by the path below which they are mounted, such as `"/pay"`; `"/"` is the root. */
export type Mounts = Readonly<Record<string, Surface>>;

/** The surface that owns a request, and the request's path below its mount point. */
export interface Mounted {
  readonly surface: Surface;
  readonly path: string;
}

/** Finds the surface that owns a method and a path, still percent-encoded; `undefined` leaves the request to the host. */
export type SurfaceFinder = (method: string, path: string) => Mounted | undefined;

/**
 * A finder over mount points. They are compared to the letter, segment by segment, and the deepest one whose surface owns the path has it,
 * whatever the order in which they are given. Throws on a mount point that is no path.
 */
export function surfaceFinder(mounts: Mounts): SurfaceFinder {
  const deepestFirst = Object.entries(mounts)
    .map(([point, surface]) => ({ prefix: prefixOf(point), surface }))
    .sort((left, right) => right.prefix.length - left.prefix.length);
  return (method, path) => {
    for (const { prefix, surface } of deepestFirst) {
      const below = pathBelow(prefix, path);
      if (below !== undefined && surface.owns(method, below)) return { surface, path: below };
    }
    return undefined;
  };
}

/** A mount point without its trailing slash. */
function prefixOf(point: string): string {
  if (/^(?:\/|(?:\/[^/?#]+)+\/?)$/.test(point)) return point.replace(/\/$/, "");
  throw new RangeError(`A mount point is a path such as "/pay", or "/" for the root; "${point}" is none.`);
}

function pathBelow(prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const below = path.slice(prefix.length);
  return below === "" ? "/" : below.startsWith("/") ? below : undefined;
}
