import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { PasswordHasher } from "@tillkit/core";

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** A hash takes 32 MB and about 0.2 s of one processor. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
/** Limits for stored parameters, so that a changed row cannot use up the memory. */
const MOST = { N: 2 ** 17, r: 8, p: 16 } as const;

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

/**
 * Creates a `PasswordHasher` that uses scrypt in the thread pool of the process.
 *
 * A hash has the form `scrypt$N$r$p$salt$key`, with salt and key in base64url.
 *
 * @returns the hasher.
 * @example
 * ```ts
 * import { scryptHasher } from "@tillkit/runtime";
 *
 * const passwords = scryptHasher();
 * const hash = await passwords.hash("correct horse battery staple");
 * await passwords.matches("correct horse battery staple", hash); // true
 * ```
 * @see {@link https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html |
 *   OWASP, Password Storage}
 */
export function scryptHasher(): PasswordHasher {
  return scryptHasherWithCost(COST);
}

/** Creates a hasher with the given cost. Tests pass a low cost. */
export function scryptHasherWithCost({ N, r, p }: Omit<Cost, "salt">): PasswordHasher {
  // Compared if there is no usable hash, so that this case takes as long as a wrong password.
  const placeholder = { N, r, p, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES);
      const key = await keyOf(password, { N, r, p, salt });
      return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
    },
    matches: async (password, hash) => {
      const stored = hash === undefined ? undefined : parse(hash);
      const { key, ...cost } = stored ?? placeholder;
      const isEqual = timingSafeEqual(await keyOf(password, cost), key);
      return stored !== undefined && isEqual;
    },
  };
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Uint8Array;
}

function keyOf(password: string, { N, r, p, salt }: Cost): Promise<Buffer> {
  // Keyboards may send different code points for the same letter, so the password is normalized.
  return derive(password.normalize("NFKC"), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r });
}

function parse(hash: string): (Cost & { readonly key: Buffer }) | undefined {
  const [, N, r, p, salt = "", key = ""] =
    /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/.exec(hash) ?? [];
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const isPowerOfTwo = Number.isInteger(Math.log2(cost.N));
  if (!isPowerOfTwo || cost.N < 2 || cost.N > MOST.N || cost.r < 1 || cost.r > MOST.r) return undefined;
  if (cost.p < 1 || cost.p > MOST.p) return undefined;
  return { ...cost, salt: Buffer.from(salt, "base64url"), key: Buffer.from(key, "base64url") };
}
