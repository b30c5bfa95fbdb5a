import type { CrashFinding } from "@tillkit/crash/client-records";
import type { OrderSnapshot } from "@tillkit/crash/read-snapshot";
import type { TrafficCounts } from "./traffic-counts.js";

/** What the last line of a run counts. */
export interface UpgradeCounts {
  readonly traffic: Pick<TrafficCounts, "requests" | "failures" | "longestMs">;
  readonly snapshot: readonly Pick<OrderSnapshot, "order" | "whole">[];
  readonly findings: readonly CrashFinding[];
}

/** Returns the last line of a run, and whether everything was right. */
export function report({ traffic, snapshot, findings }: UpgradeCounts): {
  readonly line: string;
  readonly passed: boolean;
} {
  const ofKind = (kind: CrashFinding["kind"]) => findings.filter((finding) => finding.kind === kind).length;
  const statuses = snapshot.map(({ order }) => order.paymentStatus);
  const failed = traffic.failures.length;
  const paid = statuses.filter((status) => status === "PAID" || status === "REFUND").length;
  const broken = snapshot.filter(({ whole }) => !whole).length;
  const line = [
    `requests ${String(traffic.requests)}`,
    `failed ${String(failed)}`,
    `orders ${String(snapshot.length)}`,
    `paid ${String(paid)}`,
    `lost ${String(ofKind("lost"))}`,
    `duplicated ${String(ofKind("duplicated"))}`,
    `contradictions ${String(ofKind("contradiction"))}`,
    `broken timelines ${String(broken)}`,
    `longest request ${String(Math.round(traffic.longestMs))} ms`,
  ].join(", ");
  // A run without traffic shows nothing.
  const passed = traffic.requests > 0 && paid > 0 && failed === 0 && broken === 0 && findings.length === 0;
  return { line, passed };
}
