import * as z from "zod";
import { rfc3339 } from "../shared/china-time.js";
import type { Rotation } from "./rotation.js";

/** The new certificate of a wallet. */
export interface RotatedKey {
  readonly wallet: "A" | "B";
  /** Its name in the wallet's messages: the serial number at WeChat Pay, the SN at Alipay. */
  readonly certificate: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** The schema of the body of `POST /rotate-keys`. */
export const rotateKeysInput = z.strictObject({
  wallet: z.enum(["A", "B"]),
  validDays: z.int().min(1).max(1_825).default(1_825),
});

/** Replaces a wallet's certificate and returns the new one. */
export async function rotateKeys(
  rotation: Pick<Rotation, "rotate">,
  input: z.output<typeof rotateKeysInput>,
): Promise<RotatedKey> {
  const { name, expiresAt } = await rotation.rotate(input);
  return { wallet: input.wallet, certificate: name, expiresAt: rfc3339(expiresAt) };
}
