import { newSandboxKeys } from "@tillkit/sandbox";

/** Keys that all tests of a process share. Generating them takes longer than most tests. */
export const sandboxKeys = await newSandboxKeys();
