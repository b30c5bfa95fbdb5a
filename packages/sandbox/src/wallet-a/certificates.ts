import { randomBytes } from "node:crypto";
import type { WalletAMerchant } from "../merchant.js";
import { CERTIFICATE_VALIDITY } from "../shared/certificate.js";
import { rfc3339 } from "../shared/china-time.js";
import { seal } from "./sign.js";

/** WALLET_A's certificates as it hands them to a merchant: sealed with the merchant's APIv3 key. */
export function certificatesText(merchant: WalletAMerchant): string {
  const nonce = randomBytes(6).toString("hex");
  const associatedData = "certificate";
  return JSON.stringify({
    data: [
      {
        serial_no: merchant.walletSerialNo,
        effective_time: rfc3339(CERTIFICATE_VALIDITY.from),
        expire_time: rfc3339(CERTIFICATE_VALIDITY.to),
        encrypt_certificate: {
          algorithm: "AEAD_AES_256_GCM",
          nonce,
          associated_data: associatedData,
          ciphertext: seal(merchant.apiV3Key, nonce, associatedData, merchant.walletCertificate),
        },
      },
    ],
  });
}
