import { join } from "node:path";
import { callerOf } from "./testing/caller.js";
import { at } from "./testing/json.js";
import { factsOf, freshFolder, type Program, startProgram } from "./testing/program.js";
import type { CrashEnvironment } from "./crash-environment.js";

/**
 * Runs `tillkit dev`, with the sandbox in the host's process.
 *
 * A kill ends both. The crash test does not kill the server of `databaseUrl`.
 */
export function singleProcess(databaseUrl?: string): CrashEnvironment {
  const dataDir = freshFolder();
  const options = databaseUrl === undefined ? [] : ["--postgres-url", databaseUrl];
  let program: Program | undefined;
  return {
    startHost: async () => {
      program = startProgram(options, dataDir);
      const facts = await factsOf(program);
      return { caller: callerOf(facts), serviceTypeNo: facts.serviceTypeNo };
    },
    killHost: async () => program?.kill(),
    // The host reconciles when its clock is moved.
    advance: async ({ caller }, advanceMs) => Number(at(await caller.control("clock", { advanceMs }), "now")),
    ledgerFile: join(dataDir, "sandbox.jsonl"),
    dataDir,
    databaseUrl,
    clean: async () => program?.clean(),
  };
}
