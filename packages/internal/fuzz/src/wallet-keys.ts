import { newSandboxKeys, type SandboxKeys } from "@tillkit/sandbox";

let made: Promise<SandboxKeys> | undefined;

/** Keys of both wallets, made once a process: it takes some tenths of a second. */
export function walletKeys(): Promise<SandboxKeys> {
  made ??= newSandboxKeys();
  return made;
}
