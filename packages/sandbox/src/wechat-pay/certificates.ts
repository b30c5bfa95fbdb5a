import { randomBytes } from "node:crypto";
import type { WalletAMerchant } from "../merchant.js";
import type { WalletCertificate } from "../rotation/rotation.js";
import { rfc3339 } from "../shared/china-time.js";
import { seal } from "./sign.js";

/**
 * Writes WeChat Pay's certificate list, each certificate encrypted with the merchant's APIv3 key.
 *
 * The list has two certificates while one replaces the other.
 */
export function certificatesText(
  { apiV3Key }: Pick<WalletAMerchant, "apiV3Key">,
  certificates: readonly WalletCertificate[],
): string {
  const associatedData = "certificate";
  return JSON.stringify({
    data: certificates.map(({ name, pem, effectiveAt, expiresAt }) => {
      const nonce = randomBytes(6).toString("hex");
      return {
        serial_no: name,
        effective_time: rfc3339(effectiveAt),
        expire_time: rfc3339(expiresAt),
        encrypt_certificate: {
          algorithm: "AEAD_AES_256_GCM",
          nonce,
          associated_data: associatedData,
          ciphertext: seal(apiV3Key, nonce, associatedData, pem),
        },
      };
    }),
  });
}
