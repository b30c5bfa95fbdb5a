import { err, ok, type Result } from "neverthrow";
import * as z from "zod";

/** One key of a keyring. */
export interface KeyringKey {
  /** A positive integer that names the key for ever. */
  readonly version: number;
  readonly key: Uint8Array;
}

/** The keys a host keeps apart from its database. In both lists the current key comes first and every key that something stored is still under follows. */
export interface Keyring {
  /** What phone numbers are digested under, for `nodeDigest`: at least 32 bytes each. */
  readonly peppers: readonly KeyringKey[];
  /** What wallet credentials are encrypted under, for the database's stores: 32 bytes each. */
  readonly credentialKeys: readonly KeyringKey[];
}

/** One of the two lists of a keyring. */
export type KeyringList = keyof Keyring;

/** Why a key file cannot be used; `message` says what to do about it and holds nothing of the keys. */
export interface KeyringFailure {
  /**
   * `missing`: no such file. `exists`: a file to be made is there. `exposed`: other users of the machine can read or change it. `invalid`: it is not a
   * keyring. `busy`: it is being rotated. `unavailable`: the file system refused.
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
    .min(1, "needs at least one key")
    .refine(
      (keys) => new Set(keys.map(({ version }) => version)).size === keys.length,
      "has two keys of one version",
    );

const keyringFile = z.strictObject({
  peppers: listOf(keyOf(`must be base64 of at least ${KEY_BYTES} bytes`, (bytes) => bytes >= KEY_BYTES)),
  credentialKeys: listOf(
    keyOf(`must be base64 of exactly ${KEY_BYTES} bytes`, (bytes) => bytes === KEY_BYTES),
  ),
});

/** The keyring in the text of a file, or every problem that text has, named by its place. */
export function parseKeyring(text: string): Result<Keyring, readonly string[]> {
  const json = parseJson(text);
  if (json.isErr()) return err([json.error]);
  const parsed = keyringFile.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  return err(parsed.error.issues.map((issue) => `${placeOf(issue.path)} ${ruleOf(issue)}`));
}

/** The text of a file that holds `keyring`: `parseKeyring` gives it back. */
export function keyringText(keyring: Keyring): string {
  const list = (keys: readonly KeyringKey[]) =>
    keys.map(({ version, key }) => ({ version, key: Buffer.from(key).toString("base64") }));
  const file = { peppers: list(keyring.peppers), credentialKeys: list(keyring.credentialKeys) };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "base64"));
}

function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch {
    // The parser's own message quotes the text, and the text holds keys.
    return err("the file is not JSON");
  }
}

/** A place as a program writes it: `peppers[0].key`. */
function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the file";
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return "has members that are not known";
  return issue.code === "invalid_type" && issue.expected === "object" ? "must be an object" : issue.message;
}
