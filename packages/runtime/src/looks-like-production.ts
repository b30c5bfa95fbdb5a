/** The settings that distinguish a production host from a developer's machine. */
export interface ProductionSigns {
  /** The value of `NODE_ENV`. */
  readonly nodeEnv: string | undefined;
  /** The value of `DATABASE_URL`. */
  readonly databaseUrl: string | undefined;
}

/**
 * Returns whether a process works with a production environment, for warnings about simulations.
 *
 * Returns true if `NODE_ENV` is `production`, or if the host or the name of the database contains
 * the word `prod`, `production` or `live`.
 *
 * @returns true if a simulation is probably a mistake.
 * @example
 * ```ts
 * import { looksLikeProduction } from "@tillkit/runtime";
 *
 * const { NODE_ENV: nodeEnv, DATABASE_URL: databaseUrl } = process.env;
 * if (looksLikeProduction({ nodeEnv, databaseUrl })) console.warn("The wallets are simulated.");
 * ```
 */
export function looksLikeProduction({ nodeEnv, databaseUrl = "" }: ProductionSigns): boolean {
  if (nodeEnv === "production") return true;
  if (!URL.canParse(databaseUrl)) return false;
  const { hostname, pathname } = new URL(databaseUrl);
  return /(?:^|[^a-z])(?:prod|production|live)(?:$|[^a-z])/i.test(`${hostname}${pathname}`);
}
