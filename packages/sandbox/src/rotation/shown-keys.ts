import { publicKeys, type SandboxKeys, type SandboxPublicKeys } from "../keys.js";
import type { Rotation } from "./rotation.js";

/** Returns the public keys of a sandbox, including all listed certificates of WeChat Pay. */
export function shownKeys(keys: SandboxKeys, rotation: Pick<Rotation, "listedA">): SandboxPublicKeys {
  const { walletA, walletB } = publicKeys(keys);
  return {
    get walletA() {
      const listed = rotation.listedA().map(({ name, keys: { publicKey } }) => [name, publicKey] as const);
      return {
        ...walletA,
        walletPublicKeys: { ...walletA.walletPublicKeys, ...Object.fromEntries(listed) },
      };
    },
    walletB,
  };
}
