import { FRAMEWORKS, type FrameworkName } from "./frameworks.js";
import { VERSIONS } from "./versions.js";

const DEPENDENCIES = [
  "@tillkit/alipay",
  "@tillkit/client",
  "@tillkit/core",
  "@tillkit/dashboard",
  "@tillkit/fetch",
  "@tillkit/host",
  "@tillkit/node",
  "@tillkit/postgres",
  "@tillkit/runtime",
  "@tillkit/server",
  "@tillkit/wechat-pay",
  "neverthrow",
  "pg",
  "tillkit",
];
const DEV_DEPENDENCIES = [
  "@electric-sql/pglite",
  "@tillkit/memory",
  "@tillkit/sandbox",
  "@types/node",
  "@types/pg",
  "typescript",
];
const RUNNERS = {
  vitest: { names: ["vitest"], settings: {} },
  jest: {
    names: ["@jest/globals", "jest"],
    settings: { jest: { roots: ["dist-test"], testTimeout: 30_000 } },
  },
} as const;

/**
 * Returns the text of the project's `package.json`.
 *
 * @param version - the version of Tillkit's packages, which are released together.
 */
export function packageJson(name: string, frameworkName: FrameworkName, version: string): string {
  const { dependencies, devDependencies, scripts, runner } = FRAMEWORKS[frameworkName];
  const versionsOf = (names: readonly string[]) =>
    Object.fromEntries([...names].sort().map((one) => [one, `^${versionOf(one, version)}`]));
  const document = {
    name,
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    scripts,
    dependencies: versionsOf([...DEPENDENCIES, ...dependencies]),
    devDependencies: versionsOf([...DEV_DEPENDENCIES, ...RUNNERS[runner].names, ...devDependencies]),
    ...RUNNERS[runner].settings,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function versionOf(name: string, version: string): string {
  if (name === "tillkit" || name.startsWith("@tillkit/")) return version;
  const found = VERSIONS[name];
  if (found === undefined) throw new Error(`versions.ts lacks ${name}.`);
  return found;
}
