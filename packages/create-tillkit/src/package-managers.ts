import { VERSIONS } from "./versions.js";

/** The commands of a package manager, as the project's README and Dockerfile name them. */
export interface PackageManager {
  readonly install: string;
  /** Comes before the name of a script. */
  readonly run: string;
  readonly test: string;
  /** Runs the tests of the file `test/shop.test.ts`. */
  readonly testOne: string;
  /** The files from which the container installs, with spaces between them. */
  readonly installFiles: string;
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
    testOne: "npm test -- test/shop",
    installFiles: "package-lock.json",
    ci: "npm ci",
    prune: "npm prune --omit=dev",
  },
  pnpm: {
    install: "pnpm install",
    run: "pnpm run",
    test: "pnpm test",
    testOne: "pnpm test test/shop",
    installFiles: "pnpm-lock.yaml pnpm-workspace.yaml",
    ci: `npm install --global pnpm@${VERSIONS["pnpm"]} && pnpm install --frozen-lockfile`,
    prune: "pnpm prune --prod",
    settings: {
      file: "pnpm-workspace.yaml",
      text: "# Some packages have an install script. They also work if it does not run.\nstrictDepBuilds: false\n",
    },
  },
  yarn: {
    install: "yarn install",
    run: "yarn run",
    test: "yarn test",
    testOne: "yarn test test/shop",
    installFiles: "yarn.lock",
    ci: "yarn install --frozen-lockfile",
    prune: "yarn install --frozen-lockfile --production",
  },
} as const satisfies Readonly<Record<string, PackageManager>>;

/** The name of a package manager. */
export type PackageManagerName = keyof typeof PACKAGE_MANAGERS;

/** The names of the package managers, in the order in which the program offers them. */
export const PACKAGE_MANAGER_NAMES = ["npm", "pnpm", "yarn"] as const satisfies readonly PackageManagerName[];

/**
 * Returns the package manager that runs this program, from `npm_config_user_agent`.
 *
 * Returns npm for any other one, also for Yarn 2 and later, which has other commands and installs
 * no `node_modules`.
 */
export function runningPackageManager(userAgent: string | undefined): PackageManagerName {
  const [name] = /^(?:pnpm(?=\/)|yarn(?=\/1\.))/u.exec(userAgent ?? "") ?? [];
  return PACKAGE_MANAGER_NAMES.find((one) => one === name) ?? "npm";
}
