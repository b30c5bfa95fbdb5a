/**
 * How to combine the values that several workers report for one gauge. `farthest` is the value with
 * the largest distance from 0.
 */
type Rule = "sum" | "max" | "min" | "farthest";

/**
 * The rule of each gauge of Tillkit.
 *
 * All workers report the same database, so gauges of its records are not added.
 */
export const GAUGES: Readonly<Record<string, Rule>> = {
  nodejs_eventloop_delay_p99_seconds: "max",
  process_memory_usage_bytes: "sum",
  tillkit_alarms_open: "max",
  tillkit_approvals_waiting: "max",
  tillkit_bill_days_missing: "max",
  tillkit_bill_exceptions_open: "max",
  tillkit_build_info: "max",
  tillkit_clock_skew_seconds: "farthest",
  tillkit_credential_expiry_timestamp_seconds: "min",
  tillkit_events_parked: "max",
  tillkit_pool_connections: "sum",
  tillkit_queue_due: "max",
  tillkit_queue_oldest_wait_seconds: "max",
  tillkit_ready: "min",
  tillkit_record_age_seconds: "max",
  tillkit_record_readable: "min",
  tillkit_refunds_oldest_seconds: "max",
  tillkit_refunds_open: "max",
  tillkit_task_last_success_timestamp_seconds: "max",
};

/** One metric: the lines that describe it, and its values by name and labels. */
interface Family {
  readonly name: string;
  readonly type: string;
  readonly about: readonly string[];
  readonly values: Map<string, number>;
}

/**
 * Combines the metrics of several processes into one text, in the text format of Prometheus.
 *
 * Adds counters and histograms. Combines gauges by {@link GAUGES}, and adds all other gauges. NaN
 * means that a worker has no value, so the values of the other workers count.
 */
export function sumMetrics(texts: readonly string[]): string {
  const sums = new Map<string, Family>();
  for (const text of texts) {
    for (const family of familiesOf(text)) {
      const sum = sums.get(family.name) ?? { ...family, values: new Map<string, number>() };
      sums.set(family.name, sum);
      const rule = ruleOf(family);
      for (const [series, value] of family.values) {
        const known = sum.values.get(series);
        sum.values.set(series, known === undefined ? value : joined(rule, known, value));
      }
    }
  }
  return textOf([...sums.values()]);
}

/**
 * Returns the counters and histograms of a text, without its gauges.
 *
 * The sum keeps the counters of an ended process. Otherwise it would become smaller, which would
 * look like a restart of all workers.
 */
export function countersOf(text: string): string {
  return textOf(familiesOf(text).filter(({ type }) => type !== "gauge"));
}

/**
 * Returns the metrics that are added over the workers: counts, and what a process uses.
 *
 * It leaves out states such as readiness. Call it for a worker whose state is not that of the host:
 * a worker that starts or stops is not ready on purpose, and the state of a silent one is old.
 */
export function addedMetricsOf(text: string): string {
  return textOf(familiesOf(text).filter((family) => ruleOf(family) === "sum"));
}

function ruleOf({ name, type }: Pick<Family, "name" | "type">): Rule {
  return type === "gauge" ? (GAUGES[name] ?? "sum") : "sum";
}

function joined(rule: Rule, left: number, right: number): number {
  if (Number.isNaN(left)) return right;
  if (Number.isNaN(right)) return left;
  switch (rule) {
    case "sum":
      return left + right;
    case "farthest":
      return Math.abs(left) < Math.abs(right) ? right : left;
    case "max":
    case "min":
      return Math[rule](left, right);
  }
}

/** Reads what the exporter writes: each metric with its type before its values, without times. */
function familiesOf(text: string): readonly Family[] {
  const families: Family[] = [];
  let about: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) {
      about.push(line);
      const [, kind, name, type] = line.split(" ");
      if (kind !== "TYPE" || name === undefined || type === undefined) continue;
      families.push({ name, type, about, values: new Map() });
      about = [];
    } else if (line !== "") {
      const end = line.lastIndexOf(" ");
      families.at(-1)?.values.set(line.slice(0, end), Number(line.slice(end + 1)));
    }
  }
  return families;
}

function textOf(families: readonly Family[]): string {
  return families
    .flatMap(({ about, values }) => [...about, ...[...values].map(([series, value]) => `${series} ${value}`)])
    .map((line) => `${line}\n`)
    .join("");
}
