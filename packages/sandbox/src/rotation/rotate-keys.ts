import { z } from "zod";
import { rfc3339 } from "../shared/china-time.js";
import type { Rotation } from "./rotation.js";

/** A new certificate of a wallet. */
export interface RotatedKey {
  readonly wallet: "A" | "B";
  /** What the wallet's messages name it by: WALLET_A's serial number, WALLET_B's SN. */
  readonly certificate: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** What `POST /rotate-keys` takes. */
export const rotateKeysInput = z.strictObject({
  wallet: z.enum(["A", "B"]),
  validDays: z.int().min(1).max(1_825).default(1_825),
});

/** Replaces a wallet's certificate, and says which one it signs with now. */
export async function rotateKeys(
  rotation: Pick<Rotation, "rotate">,
  input: z.output<typeof rotateKeysInput>,
): Promise<RotatedKey> {
  const { name, expiresAt } = await rotation.rotate(input);
  return { wallet: input.wallet, certificate: name, expiresAt: rfc3339(expiresAt) };
}
