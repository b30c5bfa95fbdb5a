import type { Meter } from "@opentelemetry/api";

/** Reports at each collection how the connections of a `pg` pool are used. */
export function observePool(
  meter: Meter,
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number },
): void {
  meter
    .createObservableGauge("tillkit.pool.connections", {
      description:
        "Connections by state: total (open), idle (open and unused), waiting (callers without one).",
    })
    .addCallback((result) => {
      result.observe(pool.totalCount, { state: "total" });
      result.observe(pool.idleCount, { state: "idle" });
      result.observe(pool.waitingCount, { state: "waiting" });
    });
}
