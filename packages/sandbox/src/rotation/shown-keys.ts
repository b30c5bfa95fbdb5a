import { publicKeys, type SandboxKeys, type SandboxPublicKeys } from "../keys.js";
import type { Rotation } from "./rotation.js";

/** The public keys of a sandbox, those of replaced and of new certificates of WALLET_A included. */
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
