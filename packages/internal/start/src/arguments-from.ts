/** The environment variables of `npm start`, and the options of `tillkit dev` that they set. */
const OPTIONS = { PORT: "--port", DATA_DIR: "--data-dir", DATABASE_URL: "--postgres-url" } as const;

/**
 * Returns the arguments of `tillkit dev` that the environment of `npm start` sets.
 *
 * `tillkit dev` itself reads no environment variable, because `DATABASE_URL` and `DATA_DIR` name
 * the real database for the other commands. In the repository there is no other database.
 */
export function argumentsFrom(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(OPTIONS).flatMap(([name, option]) => {
    const value = environment[name] ?? "";
    return value === "" ? [] : [option, value];
  });
  return environment["HISTORY"] === "off" ? [...named, "--no-history"] : named;
}
