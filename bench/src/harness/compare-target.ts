import type { Round } from "./row.js";
import type { Target } from "./target.js";

/** A target that compares two contestants round by round. */
export type ComparingTarget = Exclude<Target, { readonly kind: "count" | "memory" | "megabytes" }>;

/** Compares a round of the contestant `ours` with one of `than`: a multiple or a difference. */
export type CompareRounds = (ours: Round, other: Round) => number;

/** How each kind of target compares two rounds. */
export const COMPARISONS: Readonly<Record<ComparingTarget["kind"], CompareRounds>> = {
  speed: (mine, its) => mine.perSecond / its.perSecond,
  p50: (mine, its) => mine.p50 / its.p50,
  p99: (mine, its) => mine.p99 / its.p99,
  cpu: (mine, its) => cpuOf(mine) / cpuOf(its),
  "less-cpu": (mine, its) => cpuOf(its) / cpuOf(mine),
  "database-cpu": (mine, its) => (mine.databaseCpu ?? Number.NaN) / (its.databaseCpu ?? Number.NaN),
  "added-ms": (mine, its) => mine.p50 - its.p50,
  "added-cpu": (mine, its) => cpuOf(mine) - cpuOf(its),
};

const cpuOf = ({ cpu = Number.NaN }: Round): number => cpu;

/** Whether the target is about a difference, not about a multiple. */
export function isDifference({ kind }: Pick<ComparingTarget, "kind">): boolean {
  return kind === "added-ms" || kind === "added-cpu";
}
