import { readFileSync } from "node:fs";

/** Folders of the core. A folder may import the ones before it, and none after it. */
const CORE_FOLDERS = [
  "text",
  "errors",
  "shared",
  "personal-data",
  "audit",
  "operators",
  "apps",
  "pay-tools",
  "wallets",
  "services",
  "sessions",
  "downloads",
  "orders",
  "refunds",
  "bills",
  "refund-approvals",
  "operations",
  "alerts",
  "figures",
  "events",
  "customers",
  "http",
  // What the package exports besides `index.ts`: no folder imports it.
  "entries",
];

/** Folders of the PostgreSQL adapter: machinery, then features, then what uses all of them. */
const POSTGRES_FOLDERS = [
  "sql",
  "rights",
  "client",
  "cluster",
  // A statement of any feature also appends its audit entry.
  "audit",
  "batching",
  "timeline",
  "caching",
  "credentials",
  "quotas",
  "operators",
  "apps",
  "pay-tools",
  "wallets",
  "services",
  "sessions",
  "downloads",
  "orders",
  "refunds",
  "bills",
  "refund-approvals",
  "alerts",
  "figures",
  "readiness",
  "events",
  "customers",
  "stores",
  "embedded",
  "admin",
];

/** Folders of the memory adapter, in the same way. */
const MEMORY_FOLDERS = [
  "state",
  "audit",
  "events",
  "timeline",
  "quotas",
  "operators",
  "apps",
  "pay-tools",
  "wallets",
  "services",
  "sessions",
  "downloads",
  "orders",
  "refunds",
  "bills",
  "refund-approvals",
  "alerts",
  "figures",
  "readiness",
  "customers",
  "stores",
  "ports",
  "shop",
];

/** Packages in TypeScript's build order. A package may import only the packages before it. */
const PACKAGES = JSON.parse(readFileSync("tsconfig.json", "utf8")).references.map(({ path }) => path);

const CORE = "packages/core/src";

/** Modules that their packages do not export, and that tests and `npm start` use directly. */
const INNER_MODULES = [
  "^packages/cli/src/(dev/|run-process\\.ts$)",
  "^packages/cli/src/csv-counts\\.ts$",
  "^packages/sandbox/src/(keys|merchant|pay-tools|shared/certificate|(wechat-pay|alipay)/sign)\\.ts$",
  "^packages/server/src/(assembly|http|log|process|rehearsal|telemetry|testing|workers)/",
  "^packages/server/src/config\\.ts$",
];

/** Forbids each of `paths` to import a later one. */
function inOrder(name, comment, paths) {
  return paths.slice(0, -1).map((path, index) => ({
    name,
    severity: "error",
    comment,
    from: { path: `^${path}/` },
    to: { path: `^(${paths.slice(index + 1).join("|")})/` },
  }));
}

/** Forbids each folder of a package to import a later one, and folders without a place. */
function foldersInOrder(name, folders) {
  const source = `packages/${name}/src`;
  const list = `${name.toUpperCase()}_FOLDERS in .dependency-cruiser.js`;
  return [
    ...inOrder(
      `${name}-folders-in-order`,
      `Folders of a package import each other in one direction: see ${list}.`,
      folders.map((folder) => `${source}/${folder}`),
    ),
    {
      name: `every-${name}-folder-has-a-place`,
      severity: "error",
      comment: `Add the folder to ${list}.`,
      from: { path: `^${source}/[^/]+/`, pathNot: `^${source}/(${folders.join("|")})/` },
      to: {},
    },
  ];
}

export default {
  forbidden: [
    {
      name: "no-cycle-of-files",
      severity: "error",
      comment: "Two files that import each other, also only types, cannot be read one after the other.",
      from: {},
      to: { circular: true },
    },
    ...foldersInOrder("core", CORE_FOLDERS),
    ...foldersInOrder("postgres", POSTGRES_FOLDERS),
    ...foldersInOrder("memory", MEMORY_FOLDERS),
    {
      name: "shared-imports-no-feature",
      severity: "error",
      comment: "What every feature uses must not depend on one of them.",
      from: { path: `^${CORE}/shared/` },
      to: { path: `^${CORE}/`, pathNot: `^${CORE}/(text/|shared/|errors/|policy\\.ts$)` },
    },
    ...inOrder(
      "packages-in-order",
      "Packages import each other in one direction: see the references in tsconfig.json.",
      PACKAGES,
    ),
    {
      name: "commands-load-the-dev-host-when-it-runs",
      severity: "error",
      comment: "Only `tillkit dev` needs the dashboard and the sandbox: use import() in its command.",
      from: { path: "^packages/cli/src/", pathNot: "^packages/cli/src/dev/" },
      to: { path: "^packages/(cli/src/dev|dashboard|node|sandbox)/", dynamic: false },
    },
    {
      name: "no-relative-import-of-another-workspace",
      severity: "error",
      comment: "A workspace imports another one by its package name, and nothing from scripts/.",
      from: { path: "^((?:packages/internal|packages|examples)/[^/]+|bench)/" },
      to: {
        path: "^(packages|examples|bench|scripts)/",
        pathNot: ["^$1/", ...INNER_MODULES],
        dependencyTypes: ["local"],
      },
    },
    {
      name: "every-import-is-found",
      severity: "error",
      comment: "An import that is not found would not be checked either.",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    includeOnly: "^(packages|examples|bench|scripts)/[^/]+(/src)?/",
    exclude: {
      path: "\\.test\\.ts$|/testing/|/node_modules/|/dist/|^examples/frameworks/(egg|midway|next)/",
    },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ["@tillkit/source", "import"], exportsFields: ["exports"] },
  },
};
