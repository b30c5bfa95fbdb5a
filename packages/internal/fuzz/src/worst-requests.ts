/** A request of the table: what it stresses, and the parts that differ from a small request. */
export interface WorstRequest {
  readonly name: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Node refuses longer heads. */
const MAX_HEAD = 16 * 1_024;

/** Repeats a text, which may depend on the number of the repetition, up to `size` characters. */
function repeated(size: number, part: (nth: number) => string): string {
  const parts: string[] = [];
  for (let nth = 0, length = 0; length < size; nth += 1) {
    const next = part(nth);
    parts.push(next);
    length += next.length;
  }
  return parts.join("").slice(0, size);
}

/** Returns bodies of `size` bytes that are expensive for a careless reader. */
export function worstBodies(size: number): readonly WorstRequest[] {
  const inside = size - 16;
  const json: Readonly<Record<string, string>> = {
    "an array of arrays": "[".repeat(size / 2) + "]".repeat(size / 2),
    "an object of objects": `${'{"a":'.repeat(size / 6)}1${"}".repeat(size / 6)}`,
    "many members": `{${repeated(inside, (nth) => `"${nth.toString(36)}":1,`)}"z":1}`,
    "one member many times": `{${repeated(inside, () => '"a":1,')}"z":1}`,
    "many small reports": `[${repeated(inside, () => "{},")}{}]`,
    "a text of escapes": `{"a":"${'\\"'.repeat(inside / 2)}"}`,
    "a text that does not end": `{"a":"${"\\\\".repeat(inside / 2)}`,
    "a long number": `{"amount":${"9".repeat(inside)}}`,
    "a long fraction": `{"amount":0.${"9".repeat(inside)}}`,
    "an exponent of many digits": `{"amount":1e${"9".repeat(inside)}}`,
    "a long attachData": `{"attachData":"${"[".repeat(inside / 2)}"}`,
    "only spaces": " ".repeat(size),
  };
  const forms: Readonly<Record<string, string>> = {
    "many names": repeated(size, (nth) => `${nth.toString(36)}&`),
    "many values of one name": repeated(size, (nth) => `a=${nth.toString(36)}&`),
    "one pair many times": repeated(size, () => "a=b&"),
    "many escapes": "%61".repeat(size / 3),
    "broken escapes": "%".repeat(size),
    "many plus signs": `a=${"+".repeat(inside)}`,
    "only separators": "&".repeat(size),
    "many equals signs": "=".repeat(size),
  };
  return [
    ...Object.entries(json).map(([name, body]) => ({ name: `JSON with ${name}`, body })),
    ...Object.entries(forms).map(([name, body]) => ({ name: `a form with ${name}`, body, headers: FORM })),
    { name: "bytes that are no UTF-8", body: "\ud800".repeat(size / 4) },
  ];
}

/** Returns queries that are expensive for a careless reader. */
export function worstQueries(): readonly WorstRequest[] {
  return Object.entries({
    "many names": repeated(MAX_HEAD, (nth) => `${nth.toString(36)}&`),
    "one name many times": repeated(MAX_HEAD, () => "bizNo=1&"),
    "many escapes": `bizNo=${"%61".repeat(MAX_HEAD / 3)}`,
    "broken escapes": "%".repeat(MAX_HEAD),
    "a long day": `startDate=${"2".repeat(MAX_HEAD)}`,
    "a long number": `pageNum=${"9".repeat(MAX_HEAD)}`,
    "a phone number of many characters": `mobileNo=${"%2B1 (".repeat(MAX_HEAD / 7)}`,
  }).map(([name, query]) => ({ name: `a query with ${name}`, query }));
}

/** Returns headers that are expensive for a careless reader. */
export function worstHeaders(): readonly WorstRequest[] {
  const values: Readonly<Record<string, string>> = {
    "many parts": repeated(MAX_HEAD, (nth) => `${nth.toString(36)}=${nth};q=0.1, `),
    "one long word": "a".repeat(MAX_HEAD),
    "many spaces": `a${" ".repeat(MAX_HEAD)}b`,
    "many quotes": '"'.repeat(MAX_HEAD),
    "many commas": ",".repeat(MAX_HEAD),
  };
  const names = [
    "app_id",
    "app_secret",
    "cookie",
    "accept-language",
    "accept-encoding",
    "content-type",
    "origin",
    "host",
    "x-csrf-token",
    "x-change-id",
    "x-twilio-signature",
    "wechatpay-signature",
    "wechatpay-timestamp",
    "wechatpay-nonce",
    "wechatpay-serial",
    "if-none-match",
    "traceparent",
  ];
  return names.flatMap((header) =>
    Object.entries(values).map(([name, value]) => ({
      name: `the header ${header} with ${name}`,
      headers: { [header]: value },
    })),
  );
}
