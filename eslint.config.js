import { builtinModules } from "node:module";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import jsdoc from "eslint-plugin-jsdoc";
import ts from "typescript";
import tseslint from "typescript-eslint";
import { bannedPhrases } from "./banned-phrases.js";

const noEnum = { selector: "TSEnumDeclaration", message: "Use a union of literals or an `as const` table." };
const noExportAll = {
  selector: "ExportAllDeclaration",
  message: "List the names: a public name is a decision.",
};
const noSpreadOfLiteral = {
  selector:
    ":matches(SpreadElement, JSXSpreadAttribute) > :matches(ObjectExpression, ArrayExpression).argument",
  message: "Write the members without a spread.",
};
const noInstanceOfError = {
  selector: "BinaryExpression[operator='instanceof'][right.name=/^(Aggregate)?Error$/]",
  message:
    "Use `isError`, `errorCode` or `innerErrors` of @tillkit/core/errors: under Jest, Node's errors are no instances.",
};
const noAmbientDate = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Take the time from `Clock`.",
  },
  { selector: "CallExpression[callee.name='Date']", message: "Take the time from `Clock`." },
];
const noNodeModule = {
  selector: "ImportExpression > Literal[value=/^node:/]",
  message: "This runs anywhere.",
};

/** Forbids the object `z`: a bundler drops unused parts of a namespace import only. */
const noZodObject = {
  selector: "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier, Literal)",
  message: "Write `import * as z`: the object `z` brings all of zod into a host's bundle.",
};

/** Node's modules under their old names, which Deno and workers do not find. */
const bareNodeModules = builtinModules
  .filter((name) => !name.startsWith("node:"))
  .map((name) => ({ name, message: `Write "node:${name}".` }));

/**
 * Names that tie core and the fetch binding to one runtime, or bypass the clock and random ports.
 */
const ambient = {
  console: "Report through `Observer`.",
  process: "This runs anywhere: take it from a port.",
  Buffer: "This runs anywhere: use `Uint8Array`.",
  setTimeout: "Wait with `Clock.sleep`.",
  setInterval: "Wait with `Clock.sleep`.",
  setImmediate: "Wait with `Clock.sleep`.",
  performance: "Take the time from `Clock`.",
  crypto: "Take randomness from `Random` and digests from `Digest`.",
  globalThis: "Name what you need, or take it from a port.",
};

/** Forbids views of the operators' page to send requests by themselves. */
const requestsOfViews = [
  {
    name: "@tanstack/react-query",
    allowImportNames: [
      "MutationCache",
      "QueryCache",
      "QueryClient",
      "QueryClientProvider",
      "useQueryClient",
      "UseQueryResult",
    ],
    message: "Read with `useRead`, and change with `useChange`.",
  },
  { name: "openapi-fetch", message: "Read with `useRead`, and change with `useChange`." },
  {
    name: "../api/request.js",
    importNames: ["sendRequest", "addressOf"],
    message: "Read with `useRead`, and change with `useChange`.",
  },
];

/** The rules that need types, which oxlint checks in all other code. */
const typedRules = Object.fromEntries(
  Object.entries(
    ts.readConfigFile(`${import.meta.dirname}/.oxlintrc.json`, ts.sys.readFile).config.rules,
  ).map(([name, options]) => [name.replace("typescript/", "@typescript-eslint/"), options]),
);

/** Tags of TSDoc that JSDoc does not have. */
const tsdocTags = ["defaultValue", "packageDocumentation", "privateRemarks", "remarks", "typeParam"];

export default defineConfig(
  globalIgnores(["**/dist/", "**/*.d.ts", "**/coverage/", "**/.tillkit/", "docs/reference/"]),
  // Generated from the OpenAPI documents.
  globalIgnores(["packages/client/src/generated/", "packages/dashboard/page/src/api/openapi.ts"]),
  // `npm run adoption` compiles them: their packages are installed only there.
  globalIgnores([
    "examples/frameworks/egg/**/*.ts",
    "examples/frameworks/midway/**/*.ts",
    "examples/frameworks/next/**/*.ts",
    "examples/frameworks/on-koa/**/*.ts",
    "scripts/adoption/projects/next/app/",
    "scripts/adoption/projects/jest-commonjs/",
  ]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    // The rules that need types are in .oxlintrc.json.
    extends: [tseslint.configs.strict],
    rules: {
      eqeqeq: "error",
      "no-restricted-syntax": ["error", noEnum, noExportAll, noSpreadOfLiteral],
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    // oxlint would use the folders' own tsconfig.json, which finds no package before a build.
    files: ["examples/production/src/**/*.ts", "scripts/adoption/projects/consumer/**/*.ts"],
    languageOptions: {
      parserOptions: { project: ["./scripts/tsconfig.json"], tsconfigRootDir: import.meta.dirname },
    },
    rules: typedRules,
  },
  {
    files: ["**/*.{ts,tsx}", "**/*.js", "**/*.mjs"],
    rules: { "no-restricted-imports": ["error", { paths: bareNodeModules }] },
  },
  {
    files: ["packages/*/{src,page}/**/*.{ts,tsx}"],
    ignores: ["**/*.test.ts"],
    rules: { "no-console": "error" },
  },
  {
    files: ["packages/*/src/**/*.ts"],
    ignores: ["**/*.test.ts", "**/testing/**", "packages/{contract-tests,create-tillkit}/**"],
    rules: {
      "no-restricted-syntax": ["error", noEnum, noExportAll, noSpreadOfLiteral, noInstanceOfError],
    },
  },
  {
    // Packages that a host bundles.
    files: ["packages/{alipay,wallet-kit,wechat-pay}/src/**/*.ts"],
    ignores: ["**/*.test.ts", "packages/*/src/testing/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        noEnum,
        noExportAll,
        noSpreadOfLiteral,
        noZodObject,
        noInstanceOfError,
      ],
    },
  },
  {
    // Code without a runtime: the domain, and the binding to web standards.
    files: ["packages/{core,fetch}/src/**/*.ts"],
    ignores: ["**/*.test.ts", "packages/fetch/src/testing/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...Object.entries(ambient).map(([name, message]) => ({ name, message })),
      ],
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: "Take the time from `Clock`." },
        { object: "Math", property: "random", message: "Take randomness from `Random`." },
      ],
      "no-restricted-imports": ["error", { paths: builtinModules, patterns: ["node:*"] }],
      "no-restricted-syntax": [
        "error",
        noEnum,
        noExportAll,
        noSpreadOfLiteral,
        noNodeModule,
        noZodObject,
        noInstanceOfError,
        ...noAmbientDate,
      ],
    },
  },
  {
    // The one place that compares with `Error`.
    files: ["packages/core/src/errors/is-error.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    // The operators' page: no view calls the API except by `useRead` and `useChange`.
    files: ["packages/dashboard/page/src/**/*.{ts,tsx}"],
    ignores: ["packages/dashboard/page/src/api/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...["fetch", "XMLHttpRequest", "EventSource", "WebSocket"].map((name) => ({
          name,
          message: "Read with `useRead`, and change with `useChange`.",
        })),
      ],
      "no-restricted-imports": ["error", { paths: [...bareNodeModules, ...requestsOfViews] }],
    },
  },
  {
    // NestJS takes an application's parts from decorators of classes, and its options are classes.
    files: ["examples/frameworks/src/nest.ts", "packages/create-tillkit/template/nest/src/*.ts"],
    rules: {
      "@typescript-eslint/no-extraneous-class": ["error", { allowWithDecorator: true }],
    },
  },
  {
    files: ["**/*.test.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    name: "tillkit/comments",
    files: ["**/*.{ts,tsx}", "**/*.js", "**/*.mjs"],
    plugins: { jsdoc },
    settings: { jsdoc: { mode: "typescript" } },
    rules: {
      // Prettier wraps code, so `code` has no effect. URLs, tables and directives are not wrapped.
      "max-len": [
        "error",
        {
          code: 10_000,
          comments: 100,
          ignoreUrls: true,
          ignorePattern: String.raw`^\s*\*\s*\||(//|\*)\s*(eslint-|@ts-|prettier-ignore)`,
        },
      ],
      "no-warning-comments": ["error", { terms: bannedPhrases, location: "anywhere" }],
      "jsdoc/check-alignment": "error",
      // A parameter that needs no words has no `@param`.
      "jsdoc/check-param-names": ["error", { checkDestructured: false, disableMissingParamChecks: true }],
      "jsdoc/check-tag-names": ["error", { typed: true, definedTags: tsdocTags }],
      "jsdoc/empty-tags": "error",
      "jsdoc/escape-inline-tags": ["error", { allowedInlineTags: ["inheritDoc", "label"] }],
      "jsdoc/no-bad-blocks": "error",
      "jsdoc/no-multi-asterisks": "error",
      "jsdoc/no-types": "error",
      "jsdoc/require-param-description": "error",
      "jsdoc/require-param-name": "error",
      "jsdoc/require-returns-description": "error",
    },
  },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } },
  },
);
