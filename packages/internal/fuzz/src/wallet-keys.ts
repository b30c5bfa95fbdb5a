import { newSandboxKeys, type SandboxKeys } from "@tillkit/sandbox";

let made: Promise<SandboxKeys> | undefined;

/**
 * Returns the keys of both wallets. Generates them once per process, in some tenths of a second.
 */
export function walletKeys(): Promise<SandboxKeys> {
  made ??= newSandboxKeys();
  return made;
}
