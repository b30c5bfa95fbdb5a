import type { Surface } from "@tillkit/core/http";

/**
 * Starts a host that mounts the three surfaces with a binding.
 *
 * It mounts payments at `${baseUrl}/pay`, metrics at `baseUrl`, and notifications at
 * `${baseUrl}/wallets`. It responds with 404 to all other requests. `baseUrl` has no trailing
 * slash.
 */
export type OpenBinding = (surfaces: {
  readonly payments: Surface;
  readonly metrics: Surface;
  readonly notifications: Surface;
}) => Promise<{ readonly baseUrl: string; close(): Promise<void> }>;

/** Properties of the platform below a binding. */
export interface BindingOptions {
  /** `"parsed"` if the platform parses URLs and resolves dot segments, as `Request` does. */
  readonly urls: "as-written" | "parsed";
}
