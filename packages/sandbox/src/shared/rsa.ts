import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

const ALGORITHM = "RSA-SHA256";
const MIN_BITS = 2048;

/**
 * Signs the UTF-8 bytes of `text` with RSA PKCS#1 v1.5 and SHA-256. Returns base64.
 *
 * Both wallets sign like this. Runs off the main thread.
 */
export function signText(text: string, key: KeyObject): Promise<string> {
  return signBytes(Buffer.from(text, "utf8"), key);
}

/** Signs bytes in the same way as {@link signText}. */
export function signBytes(bytes: Uint8Array, key: KeyObject): Promise<string> {
  return new Promise((resolve, reject) => {
    sign(ALGORITHM, bytes, key, (error, signature) => {
      if (error === null) resolve(signature.toString("base64"));
      else reject(error);
    });
  });
}

/** Returns whether `signature` (base64) is the signature of `key` over these bytes. */
export function verifyBytes(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  return verify(ALGORITHM, bytes, key, Buffer.from(signature, "base64"));
}

/** Parses an RSA public key from PEM. Returns `undefined` if it is invalid or below 2048 bits. */
export function publicKeyOf(pem: string): KeyObject | undefined {
  return cached(publicKeys, pem, createPublicKey);
}

/**
 * Parses a private key of the sandbox.
 *
 * Throws if the key is invalid: the options of `openSandbox` or its state file are wrong.
 */
export function ownKey(pem: string): KeyObject {
  const key = cached(privateKeys, pem, createPrivateKey);
  if (key === undefined)
    throw new Error(
      "A stored private key of the sandbox is not an RSA key of at least 2048 bits. Delete the sandbox's state file.",
    );
  return key;
}

// Parsing a PEM text takes more than twice as long as a signature, and a process uses few keys.
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
