import { VERSIONS } from "./versions.js";

/** The commands of a package manager, as the project's README and Dockerfile name them. */
export interface PackageManager {
  readonly install: string;
  /** Comes before the name of a script. */
  readonly run: string;
  readonly test: string;
  /** Runs the tests of the file `test/shop.test.ts`. */
  readonly testOne: string;
  /** The lock file from which the container installs. */
  readonly lockfile: string;
  /** Installs exactly the versions of the lock file, in the container. */
  readonly ci: string;
  /** Removes the development dependencies. */
  readonly prune: string;
  /** A file with settings that the project needs. */
  readonly settings?: { readonly file: string; readonly text: string };
}

/** The package managers, by the value of `--package-manager`. */
export const PACKAGE_MANAGERS = {
  npm: {
    install: "npm install",
    run: "npm run",
    test: "npm test",
    testOne: "npm test -- shop",
    lockfile: "package-lock.json",
    ci: "npm ci",
    prune: "npm prune --omit=dev",
  },
  pnpm: {
    install: "pnpm install",
    run: "pnpm run",
    test: "pnpm test",
    testOne: "pnpm test shop",
    lockfile: "pnpm-lock.yaml pnpm-workspace.yaml",
    ci: `npm install --global pnpm@${VERSIONS["pnpm"]} && pnpm install --frozen-lockfile`,
    prune: "pnpm prune --prod",
    settings: {
      file: "pnpm-workspace.yaml",
      text: "# Packages that want to run a script when they are installed work without it.\nstrictDepBuilds: false\n",
    },
  },
  yarn: {
    install: "yarn install",
    run: "yarn run",
    test: "yarn test",
    testOne: "yarn test shop",
    lockfile: "yarn.lock",
    ci: "yarn install --frozen-lockfile",
    prune: "yarn install --frozen-lockfile --production",
  },
} as const satisfies Readonly<Record<string, PackageManager>>;

/** The name of a package manager. */
export type PackageManagerName = keyof typeof PACKAGE_MANAGERS;

/** The names of the package managers, in the order of the question. */
export const PACKAGE_MANAGER_NAMES = ["npm", "pnpm", "yarn"] as const satisfies readonly PackageManagerName[];

/**
 * Returns the package manager in `npm_config_user_agent`, which runs this program. Defaults to npm.
 *
 * Returns npm also for Yarn 2 and later, which has other commands and installs no `node_modules`.
 */
export function runningPackageManager(userAgent: string | undefined): PackageManagerName {
  const [name] = /^(?:pnpm(?=\/)|yarn(?=\/1\.))/u.exec(userAgent ?? "") ?? [];
  return PACKAGE_MANAGER_NAMES.find((one) => one === name) ?? "npm";
}
