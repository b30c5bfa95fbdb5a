import type { KeyObject, X509Certificate } from "node:crypto";
import { readJson } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { ProblemText } from "./credential-problem.js";
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
export function platformKeysOf(text: string): Result<PlatformKeys, ProblemText> {
  const texts = readJson(byId, text);
  if (texts === undefined)
    return err({
      code: "malformed",
      en: "is not JSON text of an object with string values; map each key's id or serial number to the key",
      zh: "不是值为文本的 JSON 对象，请以每个密钥的 ID 或序列号为键、以密钥为值",
    });
  const keys = new Map<string, KeyObject>();
  const certificates: X509Certificate[] = [];
  for (const [id, compositeKey] of Object.entries(texts)) {
    const name = nameOf(id);
    if (name === undefined)
      return err({
        code: "malformed",
        en: "has a name that is neither PUB_KEY_ID_… nor a serial number of hexadecimal digits; correct it",
        zh: "中有的键既不是 PUB_KEY_ID_… 也不是十六进制序列号，请更正",
      });
    const read = publicKeyOf(compositeKey);
    if (read.isErr()) {
      const { code, en, zh } = read.error;
      return err({ code, en: `${name} ${en}`, zh: `${name} ${zh}` });
    }
    const { key, certificate } = read.value;
    if (certificate !== undefined && certificate.serialNumber !== name)
      return err({
        code: "mismatch",
        en: `${name} contains the certificate ${certificate.serialNumber}; use that serial number as its name`,
        zh: `${name} 包含的是证书 ${certificate.serialNumber}，请以该序列号为键`,
      });
    keys.set(name, key);
    if (certificate !== undefined) certificates.push(certificate);
  }
  return keys.size === 0
    ? err({
        code: "missing",
        en: "has no key; add at least the key that WeChat Pay signs with now",
        zh: "中没有密钥，请至少添加微信支付当前用于签名的密钥",
      })
    : ok({ keys, certificates });
}

function nameOf(id: string): string | undefined {
  const name = id.trim();
  if (/^PUB_KEY_ID_[0-9A-Za-z]{1,64}$/.test(name)) return name;
  return /^[0-9A-Fa-f]{8,64}$/.test(name) ? name.toUpperCase() : undefined;
}
