/**
 * What the steps install from the registry and this repository does not: names with exact versions.
 *
 * Raise them together with the dependencies of the repository.
 */
export const REGISTRY_VERSIONS = {
  bun: "bun@1.4.5",
  "bun-types": "bun-types@1.4.5",
  "cross-env": "cross-env@10.1.0",
  deno: "deno@2.9.6",
  egg: "egg@4.0.10",
  jest: "jest@30.5.2",
  "jest-globals": "@jest/globals@30.5.2",
  "midway-bootstrap": "@midwayjs/bootstrap@4.2.3",
  "midway-core": "@midwayjs/core@4.0.0",
  "midway-koa": "@midwayjs/koa@4.0.0",
  "midway-logger": "@midwayjs/logger@4.0.1",
  miniflare: "miniflare@4.20260730.0",
  "nestjs-testing": "@nestjs/testing@11.2.6",
  next: "next@16.4.6",
  "node-22": `node-22@npm:node-${process.platform}-${process.arch}@22.23.3`,
  "node-24": `node-24@npm:node-${process.platform}-${process.arch}@24.9.0`,
  pnpm: "pnpm@12.21.0",
  react: "react@19.3.1",
  "react-dom": "react-dom@19.3.1",
  "sql.js": "sql.js@1.16.0",
  "ts-jest": "ts-jest@29.4.15",
  "tsc-watch": "tsc-watch@7.2.1",
  "types-jest": "@types/jest@30",
  "types-react": "@types/react@19",
  webpack: "webpack@5.113.0",
  yarn: "yarn@1.22.22",
} as const;
