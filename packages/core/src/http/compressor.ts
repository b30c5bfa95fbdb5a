import type { ClientSignal } from "./request.js";

/** A content coding that replies can have. */
export type ContentCoding = "br" | "gzip";

/** Compresses the bodies of replies. */
export interface Compressor {
  /** The codings that `compress` supports, the preferred one first. */
  readonly codings: readonly ContentCoding[];
  /**
   * Compresses the UTF-8 bytes of `text`.
   *
   * Must not block the event loop: a text may be several megabytes long. Rejects if it cannot
   * compress, and may reject when `client` aborts. If it rejects, Tillkit sends the reply
   * uncompressed.
   */
  compress(text: string, coding: ContentCoding, client?: ClientSignal): Promise<Uint8Array>;
}
