import type { Surface, Surfaces } from "@tillkit/core/http";

/** A host that accepts connections. */
export interface RunningHost {
  /** Its address, without a slash at the end. */
  readonly baseUrl: string;
  /** Ends the open connections and stops. */
  close(): Promise<void>;
}

/** Starts a host that serves the surfaces on a local port; 0 takes a free one. */
export type StartHost = (
  surfaces: Readonly<Record<keyof Surfaces, Surface>>,
  port: number,
) => Promise<RunningHost>;
