import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

const ALGORITHM = "RSA-SHA256";
const MIN_BITS = 2048;

/** RSA PKCS#1 v1.5 with SHA-256 over the UTF-8 bytes of `text`, as base64. Both wallets sign like this; it runs off the main thread. */
export function signText(text: string, key: KeyObject): Promise<string> {
  return signBytes(Buffer.from(text, "utf8"), key);
}

/** Like `signText`, over bytes as they are. */
export function signBytes(bytes: Uint8Array, key: KeyObject): Promise<string> {
  return new Promise((resolve, reject) => {
    sign(ALGORITHM, bytes, key, (error, signature) => {
      if (error === null) resolve(signature.toString("base64"));
      else reject(error);
    });
  });
}

/** Whether `signature` (base64) is the one of `key` over exactly these bytes. */
export function verifyBytes(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  return verify(ALGORITHM, bytes, key, Buffer.from(signature, "base64"));
}

/** An RSA public key of at least 2048 bits from its PEM text, or `undefined` when the text is none. */
export function publicKeyOf(pem: string): KeyObject | undefined {
  return cached(publicKeys, pem, createPublicKey);
}

/** One of the sandbox's own private keys; that it cannot be read is a defect of what `openSandbox` was given. */
export function ownKey(pem: string): KeyObject {
  const key = cached(privateKeys, pem, createPrivateKey);
  if (key === undefined)
    throw new Error("A private key of the sandbox's own is no RSA key of 2048 bits or more.");
  return key;
}

// Parsing a PEM costs more than twice a signature, and a process uses a handful of keys.
const MAX_CACHED = 256;
const privateKeys = new Map<string, KeyObject | undefined>();
const publicKeys = new Map<string, KeyObject | undefined>();

function cached(
  cache: Map<string, KeyObject | undefined>,
  pem: string,
  parse: (pem: string) => KeyObject,
): KeyObject | undefined {
  if (cache.has(pem)) return cache.get(pem);
  if (cache.size >= MAX_CACHED) cache.clear();
  const key = strongRsaKey(pem, parse);
  cache.set(pem, key);
  return key;
}

function strongRsaKey(pem: string, parse: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    const key = parse(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === "rsa" && bits >= MIN_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}
