/**
 * The versions of other packages in a project. This repository installs the same versions.
 *
 * `scripts/create-tillkit.test.ts` compares both, so raise them together.
 */
export const VERSIONS: Readonly<Record<string, string>> = {
  "@electric-sql/pglite": "0.5.16",
  "@hono/node-server": "2.1.8",
  "@jest/globals": "30.5.2",
  "@nestjs/common": "11.2.10",
  "@nestjs/core": "11.2.10",
  "@nestjs/platform-express": "11.2.10",
  "@nestjs/testing": "11.2.6",
  "@types/express": "5.0.6",
  "@types/node": "20.19.43",
  "@types/pg": "8.23.1",
  "@types/react": "19.3.0",
  "cross-env": "10.1.0",
  express: "5.3.0",
  fastify: "5.12.8",
  hono: "4.13.19",
  jest: "30.5.2",
  neverthrow: "8.2.0",
  next: "16.4.6",
  pg: "8.23.1",
  pnpm: "12.21.0",
  react: "19.3.1",
  "react-dom": "19.3.1",
  "reflect-metadata": "0.2.2",
  rxjs: "7.8.2",
  "tsc-watch": "7.2.1",
  tsx: "4.23.15",
  typescript: "5.9.3",
  vitest: "4.1.12",
};
