import "vitest";
import type { TestProject } from "vitest/node";
import { newSandboxKeys, type SandboxKeys } from "../keys.js";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * Keys that all tests of this run share, because generating them takes longer than most tests.
     */
    sandboxKeys: SandboxKeys;
  }
}

/** Generates the keys of the tests once per run. */
export default async function setUp(project: TestProject): Promise<void> {
  project.provide("sandboxKeys", await newSandboxKeys());
}
