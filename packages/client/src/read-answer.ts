import type { Answer } from "./answer.js";
import { isRecord } from "./guards.js";
import type { DownloadsFailure, DownloadsReport } from "./types.js";

/** Reads the text of a response. Returns `undefined` if the service did not write it. */
export type Reader<T> = (text: string) => Answer<T> | undefined;

/** Returns the reader of an envelope of the payments API whose data satisfies `isData`. */
export function envelopeOf<T>(isData: (data: unknown) => data is T): Reader<T> {
  return (text) => {
    const value = parsed(text);
    if (!isRecord(value)) return undefined;
    const { code, msg, data } = value;
    if (typeof code !== "number" || !Number.isInteger(code)) return undefined;
    if (code === 0) return isData(data) ? { ok: true, data } : undefined;
    return { ok: false, code, msg: typeof msg === "string" ? msg : "" };
  };
}

/** Reads a response of the downloads API. */
export const readReport: Reader<DownloadsReport> = (text) => {
  const value = parsed(text);
  const data = isRecord(value) ? value["data"] : undefined;
  if (isReport(data)) return { ok: true, data };
  if (isDownloadsFailure(data)) return { ok: false, code: 1, msg: data.responseBody, downloads: data };
  return undefined;
};

function isReport(data: unknown): data is DownloadsReport {
  return isRecord(data) && data["result"] === "success" && isRecord(data["downloadsData"]);
}

function isDownloadsFailure(data: unknown): data is DownloadsFailure {
  return isRecord(data) && data["result"] === "error" && typeof data["errorCode"] === "string";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
