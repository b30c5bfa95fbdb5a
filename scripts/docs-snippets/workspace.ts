import { mkdir, symlink, writeFile } from "node:fs/promises";
import { readJsonFile, root } from "@tillkit/repository";
import { z } from "zod";
import { fileNameOf, moduleOf, type Snippet } from "./snippets.js";

/** The projects whose declarations the blocks use: all but `scripts`, which writes none. */
const REFERENCES = z
  .object({ references: z.array(z.object({ path: z.string() })) })
  .parse(readJsonFile(`${root}tsconfig.json`))
  .references.filter(({ path }) => path !== "scripts")
  .map(({ path }) => ({ path: `${root}${path}` }));

/** The repository's options, except two that concern the style of a whole program. */
const TSCONFIG = {
  extends: `${root}tsconfig.json`,
  compilerOptions: {
    composite: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
    rootDir: "/",
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false,
  },
  files: [],
  include: ["*.ts"],
  references: REFERENCES,
};

/** Names that a fragment may use without an import. A program that uses one does not run. */
export const GIVEN = `import type { Ports, Stores } from "@tillkit/core";
import type { CredentialKey, SqlClient } from "@tillkit/postgres";
import type expressFunction from "express";
declare global {
  const ports: Ports;
  const stores: Stores;
  const appId: string;
  const outTradeNo: string;
  const credentials: Readonly<Record<string, string>>;
  const sql: SqlClient;
  const credentialKeys: readonly CredentialKey[];
  const express: typeof expressFunction;
  const app: ReturnType<typeof expressFunction>;
}
`;

/** A module that a fragment imports as the reader's own: `./my-stores.js`. */
export const MY_STORES = `import type { CredentialsAtRest } from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import type { ReadinessStore } from "@tillkit/core/ports";
export declare function openMyStores(options: object): Promise<Stores & { end(): Promise<void> }>;
export declare function rawCredentials(stores: Stores): CredentialsAtRest;
export declare function readOnlyReadiness(stores: Stores): ReadinessStore;
`;

/** A module that a fragment imports as the reader's own: `./my-adapter.js`. */
export const MY_ADAPTER = `import type * as contracts from "@tillkit/contract-tests";
export declare function openMyWallet(): Promise<contracts.Opened<contracts.WalletBillHarness>>;
export declare function openMyCarrier(): Promise<contracts.Opened<contracts.SmsHarness>>;
export declare function openMySharedStorage(): Promise<contracts.SharedStorage>;
export declare function openMyDamageableStores(): Promise<contracts.DamageableStores>;
export declare const openMyMisconfigurableStores: Parameters<typeof contracts.misconfiguredStorageContract>[1];
`;

/** Runs the built tests, whose imports from this repository are bundled. */
const VITEST_CONFIG = `export default {
  test: { include: ["*.test.js"], isolate: false, maxWorkers: 1, testTimeout: 180_000, hookTimeout: 180_000 },
};
`;

/**
 * Writes one module per block into `folder`, and the set-up that Node, tsc and vitest need there.
 */
export async function writeWorkspace(folder: string, snippets: readonly Snippet[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await symlink(`${root}node_modules`, `${folder}/node_modules`, "dir");
  const files = [
    ["package.json", JSON.stringify({ name: "docs-snippets", private: true, type: "module" })],
    ["tsconfig.json", JSON.stringify(TSCONFIG)],
    ["given.d.ts", GIVEN],
    ["my-stores.d.ts", MY_STORES],
    ["my-adapter.d.ts", MY_ADAPTER],
    ["vitest.config.js", VITEST_CONFIG],
    ...snippets.map((snippet) => [fileNameOf(snippet), moduleOf(snippet)] as const),
  ] as const;
  await Promise.all(files.map(([name, content]) => writeFile(`${folder}/${name}`, content)));
}
