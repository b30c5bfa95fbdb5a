import type { Surface } from "./request.js";

/** Surfaces by mount path, such as `"/pay"`. `"/"` is the root. */
export type Mounts = Readonly<Record<string, Surface>>;

/** The surface that owns a request, and the path of the request below its mount point. */
export interface Mounted {
  readonly surface: Surface;
  readonly path: string;
}

/**
 * Finds the surface that owns a method and a percent-encoded path.
 *
 * Returns `undefined` if no surface owns it and the host must handle the request.
 */
export type SurfaceFinder = (method: string, path: string) => Mounted | undefined;

/**
 * Creates a finder over mount points.
 *
 * Mount points are compared exactly, segment by segment. The deepest surface that owns the path
 * gets the request, whatever the order of the mount points.
 *
 * @returns a function that returns the surface and the path below its mount point, or `undefined`
 *   if no surface owns the path.
 * @throws RangeError if a mount point is not a path.
 * @example
 * ```ts
 * import { limitedSurfaces, surfaceFinder } from "@tillkit/core/http";
 *
 * const { payments, notifications, metrics } = limitedSurfaces(ports);
 * const find = surfaceFinder({ "/pay": payments, "/pay-notify": notifications, "/": metrics });
 * const found = find("POST", "/pay/order.json");
 * ```
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

/** Returns a mount point without its trailing slash. */
function prefixOf(point: string): string {
  if (/^(?:\/|(?:\/[^/?#]+)+\/?)$/.test(point)) return point.replace(/\/$/, "");
  throw new RangeError(`A mount point is a path such as "/pay", or "/" for the root; "${point}" is none.`);
}

function pathBelow(prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const below = path.slice(prefix.length);
  return below === "" ? "/" : below.startsWith("/") ? below : undefined;
}
