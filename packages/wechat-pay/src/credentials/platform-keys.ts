import type { KeyObject, X509Certificate } from "node:crypto";
import { readJson } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import { publicKeyOf } from "./read-key.js";

const byId = z.record(z.string(), z.string());

/** WeChat Pay's keys, and the certificates among them. */
export interface PlatformKeys {
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly certificates: readonly X509Certificate[];
}

/**
 * Parses WeChat Pay's keys from JSON text.
 *
 * The object maps a `PUB_KEY_ID_…` or the serial number of a platform certificate to a public key
 * or certificate. It may contain several keys, so that keys can be rotated.
 */
export function platformKeysOf(text: string): Result<PlatformKeys, string> {
  const texts = readJson(byId, text);
  if (texts === undefined)
    return err(
      "is not JSON text of an object with string values; map each key's id or serial number to the key",
    );
  const keys = new Map<string, KeyObject>();
  const certificates: X509Certificate[] = [];
  for (const [id, compositeKey] of Object.entries(texts)) {
    const name = nameOf(id);
    if (name === undefined)
      return err(
        "has a name that is neither PUB_KEY_ID_… nor a serial number of hexadecimal digits; correct it",
      );
    const read = publicKeyOf(compositeKey);
    if (read.isErr()) return err(`${name} ${read.error}`);
    const { key, certificate } = read.value;
    if (certificate !== undefined && certificate.serialNumber !== name)
      return err(
        `${name} contains the certificate ${certificate.serialNumber}; use that serial number as its name`,
      );
    keys.set(name, key);
    if (certificate !== undefined) certificates.push(certificate);
  }
  return keys.size === 0
    ? err("has no key; add at least the key that WeChat Pay signs with now")
    : ok({ keys, certificates });
}

function nameOf(id: string): string | undefined {
  const name = id.trim();
  if (/^PUB_KEY_ID_[0-9A-Za-z]{1,64}$/.test(name)) return name;
  return /^[0-9A-Fa-f]{8,64}$/.test(name) ? name.toUpperCase() : undefined;
}
