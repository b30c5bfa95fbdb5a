import { UnreadableValue } from "../sql/unreadable-value.js";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A master key that encrypts wallet credentials. */
export interface CredentialKey {
  /** A positive integer that identifies the key permanently. */
  readonly version: number;
  /** 32 random bytes. */
  readonly key: Uint8Array;
}

/** Encrypts texts at rest, and binds each one to its owner. */
export interface CredentialCipher {
  /** Encrypts `text` with the current key, for `owner` only. */
  seal(text: string, owner: string): string;
  /**
   * Decrypts `sealed`.
   *
   * Throws if the text belongs to another owner, was changed, or needs a key that is not in the
   * list.
   */
  open(sealed: string, owner: string): string;
  /** Returns whether `sealed` is encrypted with the current key. */
  isCurrent(sealed: string): boolean;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a cipher that encrypts with AES-256-GCM and the first of `keys`.
 *
 * The other keys only decrypt. A sealed text is `v{version}:` and the base64url of nonce, tag and
 * ciphertext.
 *
 * Throws if `keys` is empty, a key does not have 32 bytes, a version is not a positive integer, or
 * two keys have the same version.
 *
 * @returns the cipher.
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { credentialCipher } from "@tillkit/postgres";
 *
 * const cipher = credentialCipher([{ version: 1, key: randomBytes(32) }]);
 * ```
 */
export function credentialCipher(keys: readonly CredentialKey[]): CredentialCipher {
  const byVersion = new Map(keys.map(({ version, key }) => [version, Uint8Array.from(key)]));
  const [current] = keys;
  if (current === undefined) throw new RangeError("At least one credential key is required.");
  if (byVersion.size < keys.length) throw new RangeError("Two credential keys have the same version.");
  for (const { version, key } of keys) {
    if (!Number.isSafeInteger(version) || version < 1)
      throw new RangeError("The version of a credential key must be a positive integer.");
    if (key.length !== 32)
      throw new RangeError(`Credential key ${version} has ${key.length} bytes instead of 32.`);
  }
  const keyOf = (version: number): Uint8Array => {
    const key = byVersion.get(version);
    if (key === undefined)
      throw new UnreadableValue(`The key file has no credential key with version ${version}.`);
    return key;
  };
  const prefix = `v${current.version}:`;
  return {
    seal: (text, owner) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keyOf(current.version), nonce);
      cipher.setAAD(Buffer.from(owner, "utf8"));
      const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64url");
    },
    open: (sealed, owner) => {
      const [, version, body] = /^v(\d+):([\w-]+)$/.exec(sealed) ?? [];
      if (version === undefined || body === undefined)
        throw new UnreadableValue("The stored credentials do not have the encrypted format.");
      const bytes = Buffer.from(body, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES)
        throw new UnreadableValue("The stored credentials do not have the encrypted format.");
      const decipher = createDecipheriv(
        "aes-256-gcm",
        keyOf(Number(version)),
        bytes.subarray(0, NONCE_BYTES),
        { authTagLength: TAG_BYTES },
      );
      decipher.setAAD(Buffer.from(owner, "utf8"));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return (
          decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
        );
      } catch {
        throw new UnreadableValue(
          `The stored credentials were changed, belong to another owner, or another key than version ${version} encrypted them.`,
        );
      }
    },
    isCurrent: (sealed) => sealed.startsWith(prefix),
  };
}
