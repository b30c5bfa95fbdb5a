import type { KeyObject } from "node:crypto";

/** A key of a wallet that was downloaded while the service runs. */
export interface LearnedKey {
  /** What the wallet's messages name the key by. */
  readonly name: string;
  readonly key: KeyObject;
  /** Epoch milliseconds. From then on the key is not used. */
  readonly expiresAt: number;
}

/** How keys are downloaded. */
export interface LearnOptions {
  readonly now: number;
  /** Milliseconds that must have passed since the last download of this purpose began. */
  readonly pause: number;
  /** Gives the keys that were proved to be the wallet's. Nothing is learned if it rejects. */
  readonly download: () => Promise<readonly LearnedKey[]>;
}

/** A download under way. */
export interface Learning {
  /** Whether this call began it; otherwise it joined one that was under way. */
  readonly begun: boolean;
  /** Resolves when the keys are there, or the download has failed. Never rejects. */
  readonly done: Promise<void>;
}

/** The keys that an adapter of a wallet learned, for each account. Memory only. */
export interface LearnedKeys {
  /** The key of an account that its messages call `name`, unless it has expired. */
  find(account: string, name: string, now: number): KeyObject | undefined;
  /** Every key of an account that has not expired. */
  list(account: string, now: number): readonly LearnedKey[];
  /**
   * Downloads keys for an account, at most once at a time and once per pause for each purpose.
   *
   * @returns `undefined` if the last download began too recently: nothing is sent.
   */
  learn(account: string, purpose: string, options: LearnOptions): Learning | undefined;
  /**
   * Milliseconds since the last download of this purpose began, or since the account was first
   * seen here.
   */
  idleFor(account: string, purpose: string, now: number): number;
}

/** What bounds the memory. The account used least recently is dropped, and the oldest key. */
export interface LearnedKeysOptions {
  /** Defaults to 1024. */
  readonly maxAccounts?: number;
  /** Keys of one account. Defaults to 16. */
  readonly maxKeys?: number;
}

interface Entry {
  readonly seenAt: number;
  readonly keys: Map<string, LearnedKey>;
  readonly downloads: Map<string, { readonly begunAt: number; underWay?: Promise<void> }>;
}

/** Opens an empty memory. */
export function learnedKeys({ maxAccounts = 1024, maxKeys = 16 }: LearnedKeysOptions = {}): LearnedKeys {
  const entries = new Map<string, Entry>();

  function entryOf(account: string, now: number): Entry {
    const entry = entries.get(account) ?? { seenAt: now, keys: new Map(), downloads: new Map() };
    // A map keeps the order of insertion: the first is the one not used for longest.
    entries.delete(account);
    entries.set(account, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxAccounts && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  async function download({ keys }: Entry, options: LearnOptions): Promise<void> {
    try {
      for (const key of await options.download()) {
        keys.delete(key.name);
        keys.set(key.name, key);
      }
    } catch {
      // Nothing was learned. Who needed the key finds it missing, and says so.
    }
    for (const [name, { expiresAt }] of keys) if (expiresAt <= options.now) keys.delete(name);
    for (const name of [...keys.keys()].slice(0, -maxKeys)) keys.delete(name);
  }

  return {
    find: (account, name, now) => {
      const known = entries.get(account)?.keys.get(name);
      return known === undefined || known.expiresAt <= now ? undefined : known.key;
    },
    list: (account, now) =>
      [...(entries.get(account)?.keys.values() ?? [])].filter(({ expiresAt }) => now < expiresAt),
    learn: (account, purpose, options) => {
      const entry = entryOf(account, options.now);
      const last = entry.downloads.get(purpose);
      if (last?.underWay !== undefined) return { begun: false, done: last.underWay };
      // A clock that was set back must not keep keys from being learned.
      const waited = last === undefined ? Infinity : Math.abs(options.now - last.begunAt);
      if (waited < options.pause) return undefined;
      const done = download(entry, options).finally(() => {
        entry.downloads.set(purpose, { begunAt: options.now });
      });
      entry.downloads.set(purpose, { begunAt: options.now, underWay: done });
      return { begun: true, done };
    },
    idleFor: (account, purpose, now) => {
      const { seenAt, downloads } = entries.get(account) ?? entryOf(account, now);
      return now - (downloads.get(purpose)?.begunAt ?? seenAt);
    },
  };
}
