import { parse } from "yaml";
import { z } from "zod";

const rules = z.object({
  groups: z.array(
    z.looseObject({
      rules: z.array(z.looseObject({ alert: z.string(), expr: z.string(), for: z.string().optional() })),
    }),
  ),
});

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Matches a limit at the end of an expression, unless it is a fraction or a number of days. */
const LIMIT = /(?<=> )\d+$/;
/** The least limit in seconds: figures from the database may be 15 seconds old. */
const LEAST_LIMIT = 30;
/** This alert keeps its time: a busy machine has slow moments, which are no incident of a host. */
const KEPT = "TillkitEventLoopSlow";

/**
 * Divides the times of rules for Prometheus by `factor`: `for`, ranges, and limits in seconds.
 *
 * Counts, shares and limits of days stay. Returns JSON, which Prometheus reads as YAML.
 */
export function shortenRules(text: string, factor: number): string {
  const shorten = (duration: string): string =>
    duration.replace(
      /^(\d+)([smhd])$/,
      (_, count: string, unit: string) => `${Math.round((Number(count) * (UNITS[unit] ?? 1)) / factor)}ms`,
    );
  const expression = (expr: string): string => {
    const ranged = expr.replaceAll(/\[(\w+)\]/g, (_, range: string) => `[${shorten(range)}]`);
    if (!/_seconds\b/.test(expr)) return ranged;
    return ranged.replace(LIMIT, (limit) => String(Math.max(Number(limit) / factor, LEAST_LIMIT)));
  };
  const { groups } = rules.parse(parse(text));
  return JSON.stringify({
    groups: groups.map((group) => ({
      ...group,
      rules: group.rules.map((rule) =>
        rule.alert === KEPT
          ? rule
          : {
              ...rule,
              expr: expression(rule.expr),
              ...(rule.for === undefined ? {} : { for: shorten(rule.for) }),
            },
      ),
    })),
  });
}
