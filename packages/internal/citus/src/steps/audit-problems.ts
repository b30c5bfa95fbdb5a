import type { LoadAudit } from "@tillkit/crash/shared-hosts";

const COUNTS = {
  lost: "acknowledged orders lost",
  doubled: "orders doubled",
  brokenTimelines: "broken timelines",
  servicesWrong: "services wrong",
} as const satisfies Readonly<Record<keyof LoadAudit, string>>;

/** Returns the counts of an audit as one line. */
export function auditLine(audit: LoadAudit): string {
  return `${COUNTS.lost} ${String(audit.lost.length)}, ${COUNTS.doubled} ${String(audit.doubled.length)}, ${COUNTS.brokenTimelines} ${String(audit.brokenTimelines.length)}, ${COUNTS.servicesWrong} ${String(audit.servicesWrong.length)}`;
}

/** Returns a line for each kind of difference that an audit found. */
export function auditProblems(audit: LoadAudit): readonly string[] {
  const kinds = [
    [COUNTS.lost, audit.lost] as const,
    [COUNTS.doubled, audit.doubled] as const,
    [COUNTS.brokenTimelines, audit.brokenTimelines] as const,
    [COUNTS.servicesWrong, audit.servicesWrong] as const,
  ];
  return kinds
    .filter(([, found]) => found.length > 0)
    .map(([kind, found]) => `${kind}: ${String(found.length)} (${found.slice(0, 5).join(", ")})`);
}
