/**
 * What the steps install from the registry and this repository does not: names with exact versions.
 *
 * Raise them together with the dependencies of the repository.
 */
export const REGISTRY_VERSIONS = {
  bun: "bun@1.4.5",
  "bun-types": "bun-types@1.4.5",
  deno: "deno@2.9.6",
  jest: "jest@30.5.2",
  miniflare: "miniflare@4.20260730.0",
  next: "next@16.4.6",
  "node-22": `node-22@npm:node-${process.platform}-${process.arch}@22.23.3`,
  "node-24": `node-24@npm:node-${process.platform}-${process.arch}@24.9.0`,
  react: "react@19.3.1",
  "react-dom": "react-dom@19.3.1",
  "sql.js": "sql.js@1.16.0",
  "types-react": "@types/react@19",
  webpack: "webpack@5.113.0",
} as const;
