import type { DownloadsFailure } from "./types.js";

/** The content of a response. A `code` of the downloads API is 0 or 1. */
export type Answer<T> =
  | { readonly ok: true; readonly data: T }
  | {
      readonly ok: false;
      readonly code: number;
      readonly msg: string;
      readonly downloads?: DownloadsFailure;
    };
