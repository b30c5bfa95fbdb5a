import type { KeyObject } from "node:crypto";

/** A public key of a wallet, downloaded at run time. */
export interface DownloadedKey {
  /** The name by which the wallet's messages refer to the key. */
  readonly name: string;
  readonly key: KeyObject;
  /** When the certificate of the key becomes valid, in epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds. The key is not used from this time on. */
  readonly expiresAt: number;
}

/** Options of a download of keys. */
export interface KeyDownloadOptions {
  readonly now: number;
  /** Minimum milliseconds between the starts of two downloads for the same purpose. */
  readonly pause: number;
  /** Returns keys that were verified to belong to the wallet. If it rejects, no key is stored. */
  readonly download: () => Promise<readonly DownloadedKey[]>;
  /** Called for each stored key that is new to the account and not expired. It must not throw. */
  readonly onNew?: (key: DownloadedKey) => void;
}

/** A download in progress. */
export interface PendingDownload {
  /** Whether this call started the download. Otherwise it joined one in progress. */
  readonly begun: boolean;
  /** Resolves when the download has succeeded or failed. Never rejects. */
  readonly done: Promise<void>;
}

/** The keys that a wallet adapter has downloaded, per account. Kept in memory only. */
export interface DownloadedKeys {
  /** Returns the account's key with this name, or `undefined` if it is unknown or expired. */
  find(account: string, name: string, now: number): KeyObject | undefined;
  /** Returns all keys of an account that have not expired. */
  list(account: string, now: number): readonly DownloadedKey[];
  /**
   * Downloads keys for an account, or joins the download in progress for the same purpose.
   *
   * Starts at most one download per purpose and pause.
   * @returns `undefined` if the last download started too recently. Then no request is sent.
   */
  downloadMissing(account: string, purpose: string, options: KeyDownloadOptions): PendingDownload | undefined;
  /**
   * Milliseconds since the last download for this purpose started.
   *
   * If there was no download, the time counts from the first `downloadMissing` or `idleFor` call
   * for the account.
   */
  idleFor(account: string, purpose: string, now: number): number;
}

/**
 * Limits of the stored keys.
 *
 * If there are too many accounts, the account with the least recent `downloadMissing` call is
 * dropped. If an account has too many keys, the key with the least recent download is dropped.
 */
export interface DownloadedKeysOptions {
  /** Maximum number of accounts. Defaults to 1024. */
  readonly maxAccounts?: number;
  /** Maximum number of keys per account. Defaults to 16. */
  readonly maxKeys?: number;
}

interface Entry {
  readonly seenAt: number;
  readonly keys: Map<string, DownloadedKey>;
  readonly downloads: Map<string, { readonly begunAt: number; underWay?: Promise<void> }>;
}

/** Creates an empty key store in memory. */
export function downloadedKeys({
  maxAccounts = 1024,
  maxKeys = 16,
}: DownloadedKeysOptions = {}): DownloadedKeys {
  const entries = new Map<string, Entry>();

  function entryOf(account: string, now: number): Entry {
    const entry = entries.get(account) ?? { seenAt: now, keys: new Map(), downloads: new Map() };
    // A map keeps the insertion order, so the first entry is the least recently used one.
    entries.delete(account);
    entries.set(account, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxAccounts && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  async function download({ keys }: Entry, options: KeyDownloadOptions): Promise<void> {
    try {
      for (const key of await options.download()) {
        const isNew = !keys.delete(key.name) && options.now < key.expiresAt;
        keys.set(key.name, key);
        if (isNew) options.onNew?.(key);
      }
    } catch {
      // No key was stored. The caller that needs the key reports that it is missing.
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
    downloadMissing: (account, purpose, options) => {
      const entry = entryOf(account, options.now);
      const last = entry.downloads.get(purpose);
      if (last?.underWay !== undefined) return { begun: false, done: last.underWay };
      // The absolute value lets downloads continue after the clock was set back.
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
