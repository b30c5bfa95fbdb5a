import { type Meter, metrics } from "@opentelemetry/api";
import { SCOPE } from "./scope.js";

/** The options of {@link observeHost}. */
export interface HostMetricsOptions {
  /** Defaults to the global meter provider's meter of this package. */
  readonly meter?: Meter;
}

/** The part of a host that {@link observeHost} reads. */
export interface ObservedHost {
  readonly version: string;
  health(): Promise<{ readonly ready: boolean }>;
}

/**
 * Reports the version of a host, and whether it is ready, at each collection of metrics.
 *
 * `tillkit.ready` is 1 or 0. It comes from the check of the readiness probe, but needs no probe. So
 * an alert can also fire for a host that no load balancer probes.
 *
 * @example
 * ```ts
 * import type { Tillkit } from "@tillkit/host";
 * import { observeHost } from "@tillkit/opentelemetry";
 *
 * declare const tillkit: Tillkit;
 *
 * observeHost(tillkit);
 * ```
 */
export function observeHost(
  host: ObservedHost,
  { meter = metrics.getMeter(SCOPE) }: HostMetricsOptions = {},
): void {
  meter
    .createObservableGauge("tillkit.build.info", { description: "Always 1, with the version of the host." })
    .addCallback((result) => {
      result.observe(1, { version: host.version });
    });
  meter
    .createObservableGauge("tillkit.ready", {
      description: "1 if the host can use its storage and accepts requests, otherwise 0.",
    })
    .addCallback(async (result) => {
      const { ready } = await host.health();
      result.observe(ready ? 1 : 0);
    });
}
