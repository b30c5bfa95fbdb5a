import { formatJsonPath, jsonProblemText, parseStrictJson } from "@tillkit/core/text";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";

/** A key of a keyring, with its version. */
export interface KeyringKey {
  /** A positive integer that identifies the key permanently. Each list uses a version once. */
  readonly version: number;
  readonly key: Uint8Array;
}

/**
 * The keys that a host stores outside its database.
 *
 * In both lists the current key comes first. Then come the older keys that stored values still use,
 * and a standby key if there is one.
 */
export interface Keyring {
  /** The keys that `nodeDigest` digests phone numbers with: at least 32 bytes each. */
  readonly peppers: readonly KeyringKey[];
  /** The keys that encrypt wallet credentials in the database: exactly 32 bytes each. */
  readonly credentialKeys: readonly KeyringKey[];
}

/** The name of one of the two lists of a keyring. */
export type KeyringList = keyof Keyring;

/**
 * The reason why a key file cannot be used.
 *
 * `message` says what to do, and contains no key.
 */
export interface KeyringFailure {
  /**
   * The kind of failure.
   *
   * - `keyring.missing`: the file does not exist.
   * - `keyring.exists`: the file to be created exists already.
   * - `keyring.exposed`: other users of the machine can read or change the file.
   * - `keyring.invalid`: the file is not a keyring.
   * - `keyring.busy`: another rotation is in progress, or an earlier rotation was interrupted.
   * - `keyring.unavailable`: the path is not a regular file, or the file system returned another
   *   error.
   */
  readonly name: `keyring.${"missing" | "exists" | "exposed" | "invalid" | "busy" | "unavailable"}`;
  readonly message: string;
}

const KEY_BYTES = 32;

const keyOf = (rule: string, fits: (bytes: number) => boolean) =>
  z.strictObject({
    version: z.number("must be a number").int("must be whole").positive("must be at least 1"),
    key: z
      .string("must be text")
      .refine((text) => z.base64().safeParse(text).success && fits(bytesOf(text).length), rule)
      .transform(bytesOf),
  });

const listOf = (key: ReturnType<typeof keyOf>) =>
  z
    .array(key, "must be a list of keys")
    .min(1, "must contain at least one key")
    .refine(
      (keys) => new Set(keys.map(({ version }) => version)).size === keys.length,
      "has two keys with one version",
    );

const keyringFile = z.strictObject({
  peppers: listOf(keyOf(`must be base64 of at least ${KEY_BYTES} bytes`, (bytes) => bytes >= KEY_BYTES)),
  credentialKeys: listOf(
    keyOf(`must be base64 of exactly ${KEY_BYTES} bytes`, (bytes) => bytes === KEY_BYTES),
  ),
});

/** Parses the text of a key file. Returns every problem, with its path, if the text is invalid. */
export function parseKeyring(text: string): Result<Keyring, readonly string[]> {
  const json = parseStrictJson(text);
  if (json.isErr()) return err(json.error.map(jsonProblemText));
  const parsed = keyringFile.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  return err(parsed.error.issues.map((issue) => `${placeOf(issue.path)} ${ruleOf(issue)}`));
}

/** Returns the text of a key file that holds `keyring`. {@link parseKeyring} reads it back. */
export function keyringText(keyring: Keyring): string {
  const list = (keys: readonly KeyringKey[]) =>
    keys.map(({ version, key }) => ({ version, key: Buffer.from(key).toString("base64") }));
  const file = { peppers: list(keyring.peppers), credentialKeys: list(keyring.credentialKeys) };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "base64"));
}

/** Formats the path of a value in the file, such as `peppers[0].key`. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the file" : formatJsonPath(path);
}

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return "has unknown members";
  return issue.code === "invalid_type" && issue.expected === "object" ? "must be an object" : issue.message;
}
