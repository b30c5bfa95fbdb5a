import "vitest";
import type { TestProject } from "vitest/node";
import { newSandboxKeys, type SandboxKeys } from "../keys.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Keys that all tests of this run share: making some costs more than most tests. */
    sandboxKeys: SandboxKeys;
  }
}

/** Gives the tests of this package keys, made once a run. */
export default async function setUp(project: TestProject): Promise<void> {
  project.provide("sandboxKeys", await newSandboxKeys());
}
