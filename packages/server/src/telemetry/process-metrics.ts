import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Meter } from "@opentelemetry/api";

/** Reports at each collection the event loop, the memory and the processor time of this process. */
export function observeProcess(meter: Meter): void {
  const delay = monitorEventLoopDelay();
  delay.enable();
  meter
    .createObservableGauge("nodejs.eventloop.delay.p99", {
      description: "The delay of the event loop since the last collection, 99th percentile.",
      unit: "s",
    })
    .addCallback((result) => {
      result.observe(delay.percentile(99) / 1e9);
      delay.reset();
    });
  meter
    .createObservableGauge("process.memory.usage", { description: "Resident memory.", unit: "By" })
    .addCallback((result) => {
      result.observe(process.memoryUsage.rss());
    });
  meter
    .createObservableCounter("process.cpu.time", { description: "User and system time.", unit: "s" })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
}
