import { type KeyObject, sign } from "node:crypto";

const SHA256_WITH_RSA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b];
const COMMON_NAME = [0x55, 0x04, 0x03];

/**
 * Creates a self-signed certificate as PEM text, like those that WeChat Pay issues.
 *
 * Times are epoch milliseconds.
 */
export function makeCertificate(
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  { serialNo, from, to }: { readonly serialNo: string; readonly from: number; readonly to: number },
): string {
  const algorithm = sequence(tlv(0x06, Buffer.from(SHA256_WITH_RSA)), tlv(0x05));
  const name = sequence(
    tlv(0x31, sequence(tlv(0x06, Buffer.from(COMMON_NAME)), tlv(0x0c, Buffer.from("test")))),
  );
  const serial = Buffer.from(serialNo, "hex");
  const signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    // Without a leading zero, the number would be negative.
    tlv(0x02, (serial[0] ?? 0) < 0x80 ? serial : Buffer.concat([Buffer.of(0), serial])),
    algorithm,
    name,
    sequence(utcTime(from), utcTime(to)),
    name,
    publicKey.export({ format: "der", type: "spki" }),
  );
  const signature = sign("RSA-SHA256", signed, privateKey);
  const der = sequence(signed, algorithm, tlv(0x03, Buffer.of(0), signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x30, ...parts);
}

function utcTime(instant: number): Buffer {
  const text = new Date(instant).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
  return tlv(0x17, Buffer.from(`${text}Z`));
}

function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
