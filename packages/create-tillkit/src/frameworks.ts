/** What a framework adds to the project. */
export interface Framework {
  /** The name of the framework in the question. */
  readonly label: string;
  /** The file with the routes. */
  readonly server: string;
  /** A sentence of the README: when the development server restarts. Begins with a space. */
  readonly restart: string;
  /** A sentence of the README: which commands do not read `.env`. */
  readonly envFile: string;
  /** A sentence of the README: how the user's own code gets the client of Tillkit's API. */
  readonly client: string;
  readonly runner: "vitest" | "jest";
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  readonly scripts: Readonly<Record<"dev" | "build" | "start" | "test", string>>;
  /**
   * The command of the container. A package manager would not pass signals on, so it starts Node.
   */
  readonly command: readonly string[];
}

const COMPILED = {
  server: "src/server.ts",
  restart: " The server restarts when you save a file.",
  envFile: "nothing here reads `.env`.",
  client: "`openHost()` also returns the `client` of Tillkit's API",
  runner: "vitest",
  scripts: {
    dev: "tsx watch src/server.ts",
    build: "tsc",
    start: "node dist/src/server.js",
    test: "vitest run --dir test --testTimeout 30000 --hookTimeout 30000",
  },
  command: ["node", "dist/src/server.js"],
} as const;

/** The frameworks for which there is a template, by the value of `--framework`. */
export const FRAMEWORKS = {
  node: { ...COMPILED, label: "Node, without a framework", dependencies: [], devDependencies: ["tsx"] },
  express: {
    ...COMPILED,
    label: "Express 5",
    dependencies: ["@tillkit/express", "express"],
    devDependencies: ["@types/express", "tsx"],
  },
  fastify: {
    ...COMPILED,
    label: "Fastify 5",
    dependencies: ["@tillkit/fastify", "fastify"],
    devDependencies: ["tsx"],
  },
  hono: {
    ...COMPILED,
    label: "Hono",
    dependencies: ["@hono/node-server", "hono"],
    devDependencies: ["tsx"],
  },
  next: {
    label: "Next.js 16, App Router",
    server: "src/app/[...path]/route.ts",
    restart: " Restart the server after you change `src/shop.ts`, `src/tillkit.ts` or what they import.",
    envFile: "`npx tillkit` does not read `.env`. Next.js does (also in development), except `PORT`.",
    client: "`await globalThis.host` also has the `client` of Tillkit's API",
    runner: "vitest",
    dependencies: ["next", "react", "react-dom"],
    devDependencies: ["@types/react"],
    scripts: {
      dev: "next dev --hostname 127.0.0.1",
      build: "next build",
      start: "next start",
      test: "vitest run --dir test --testTimeout 30000 --hookTimeout 30000",
    },
    command: ["node", "node_modules/next/dist/bin/next", "start"],
  },
  nest: {
    ...COMPILED,
    label: "NestJS 11",
    server: "src/shop.controller.ts",
    client:
      'your services get, with `@Inject(TillkitClient)` and `@Inject("host")`, the client of Tillkit\'s API',
    runner: "jest",
    dependencies: [
      "@nestjs/common",
      "@nestjs/core",
      "@nestjs/platform-express",
      "@tillkit/express",
      "express",
      "reflect-metadata",
      "rxjs",
    ],
    devDependencies: ["@nestjs/testing", "@types/express", "cross-env", "tsc-watch"],
    scripts: {
      ...COMPILED.scripts,
      // `tsx` emits no types of parameters, so a `ValidationPipe` would check nothing.
      dev: 'cross-env NODE_ENV=development tsc-watch --onSuccess "node dist/src/server.js"',
      // Jest runs the compiled tests, because it has no transform for ES modules in TypeScript.
      // `tsc` keeps the output of deleted files, so without `rmSync` Jest would run deleted tests.
      // The running development server needs its own output.
      test: `node -e "fs.rmSync('dist-test', { recursive: true, force: true })" && tsc --outDir dist-test && node --experimental-vm-modules node_modules/jest/bin/jest.js`,
    },
  },
} as const satisfies Readonly<Record<string, Framework>>;

/** The name of a framework. */
export type FrameworkName = keyof typeof FRAMEWORKS;

/** The names of the frameworks, in the order in which the program offers them. */
export const FRAMEWORK_NAMES = [
  "node",
  "express",
  "fastify",
  "hono",
  "next",
  "nest",
] as const satisfies readonly FrameworkName[];
