import { parse } from "yaml";

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A limit at the end of an expression, except a fraction and one in days. */
const LIMIT = /(?<=> )\d+$/;
/** The least limit in seconds: hosts report figures of the record that are up to 15 seconds old. */
const LEAST_LIMIT = 30;

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
  return JSON.stringify(
    parse(text, (name, value: unknown) => {
      if (typeof value !== "string") return value;
      if (name === "for") return shorten(value);
      if (name !== "expr") return value;
      const ranged = value.replaceAll(/\[(\w+)\]/g, (_, range: string) => `[${shorten(range)}]`);
      const isAboutSeconds = /_seconds\b/.test(value);
      return ranged.replace(LIMIT, (limit) =>
        isAboutSeconds ? String(Math.max(Number(limit) / factor, LEAST_LIMIT)) : limit,
      );
    }),
  );
}
