import { newSandboxKeys } from "../keys.js";

/** Keys that all tests of a process share. Generating them takes longer than most tests. */
export const testKeys = await newSandboxKeys();
