import type { KeyObject } from "node:crypto";
import { type DownloadedKey, readJson } from "@tillkit/wallet-kit";
import * as z from "zod";
import { certificateOf } from "../credentials/read-key.js";
import type { HttpResponse } from "../gateway/send-http-request.js";
import { associatedData, decryptResource } from "../signing/decrypt-resource.js";
import { type Freshness, type KeysByName, verifyMessage } from "../signing/verify-message.js";
import { instantOf } from "../times.js";

const certificates = z.object({
  data: z
    .array(
      z.object({
        serial_no: z.string(),
        expire_time: z.string(),
        encrypt_certificate: z.object({
          algorithm: z.string(),
          nonce: z.string(),
          associated_data: associatedData,
          ciphertext: z.string(),
        }),
      }),
    )
    .max(64),
});

type StatedCertificate = z.infer<typeof certificates>["data"][number];

/**
 * Reads the platform certificates from a response to `GET /v3/certificates`.
 *
 * Verifies two things: each certificate is encrypted with the APIv3 key, and the response is signed
 * by a key of `known` or by one of the certificates. A new certificate may sign the response that
 * contains it. Skips entries that cannot be read.
 * @returns the certificates, or `undefined` if the response cannot be verified.
 */
export function readDownloadedCertificates(
  apiV3Key: KeyObject,
  known: KeysByName,
  { status, headers, body }: HttpResponse,
  time: Freshness,
): readonly DownloadedKey[] | undefined {
  const stated = status === 200 ? readJson(certificates, body)?.data : undefined;
  if (stated === undefined) return undefined;
  const fresh = stated.map((one) => opensTo(apiV3Key, one)).filter((one) => one !== undefined);
  const inAnswer = new Map(fresh.map(({ name, key }) => [name, key]));
  const keys = { get: (name: string) => known.get(name) ?? inAnswer.get(name) };
  return verifyMessage(keys, headers, body, time).isOk() ? fresh : undefined;
}

function opensTo(
  apiV3Key: KeyObject,
  { serial_no: name, expire_time, encrypt_certificate }: StatedCertificate,
): DownloadedKey | undefined {
  // SM2 certificates use another algorithm.
  if (encrypt_certificate.algorithm !== "AEAD_AES_256_GCM") return undefined;
  const text = decryptResource(apiV3Key, encrypt_certificate);
  const certificate = text === undefined ? undefined : certificateOf(text).unwrapOr(undefined);
  if (certificate?.serialNumber !== name) return undefined;
  const { publicKey: key, validFrom, validTo } = certificate;
  // WeChat Pay may stop using a certificate before the certificate expires.
  const expiresAt = Math.min(Date.parse(validTo), instantOf(expire_time) ?? Infinity);
  return { name, key, validFrom: Date.parse(validFrom), expiresAt };
}
