import { createSign, createVerify } from "node:crypto";

// Alipay's side of the protocol, written from its documentation without code of the adapter.

/** Parses forms into decoded values by name. Throws if a name occurs twice. */
export function formOf(...texts: string[]): Map<string, string> {
  const form = new Map<string, string>();
  for (const text of texts)
    for (const [name, value] of new URLSearchParams(text)) {
      if (form.has(name)) throw new Error(`${name} came twice`);
      form.set(name, value);
    }
  return form;
}

/** Returns the signed text: members sorted by name, except empty ones and those named in `left`. */
export function signedText(form: ReadonlyMap<string, string>, left: readonly string[]): string {
  const names = [...form.keys()].filter((name) => !left.includes(name) && form.get(name) !== "");
  names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return names.map((name) => name + "=" + (form.get(name) ?? "")).join("&");
}

/** Signs bytes or UTF-8 text with SHA256withRSA. */
export function signature(text: string | Uint8Array, privateKey: string): string {
  return createSign("sha256WithRSAEncryption").update(text).sign(privateKey, "base64");
}

/** Returns whether the app signed a request. The signed text includes `sign_type`. */
export function isSignedRequest(form: ReadonlyMap<string, string>, appPublicKey: string): boolean {
  const verifier = createVerify("sha256WithRSAEncryption").update(signedText(form, ["sign"]), "utf8");
  return verifier.verify(appPublicKey, form.get("sign") ?? "", "base64");
}

/** Returns a signed notification. The signed text excludes `sign_type`. */
export function notificationBody(facts: Readonly<Record<string, string>>, walletPrivateKey: string): string {
  const sign = signature(signedText(new Map(Object.entries(facts)), ["sign", "sign_type"]), walletPrivateKey);
  return new URLSearchParams({ ...facts, sign }).toString();
}

/** Serialises JSON as Alipay does, with escaped slashes and some spaces. */
export function walletJson(node: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(node).replaceAll("/", "\\/").replace('","', '" , "');
}

const shanghai = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Shanghai",
  dateStyle: "short",
  timeStyle: "medium",
});

/** Formats a time in Beijing, by the rules of the time zone database. */
export function shanghaiTime(instant: number): string {
  return shanghai.format(instant);
}

/** Converts a yuan text with exactly two decimals to cents. */
export function cents(yuan: string | undefined): number {
  if (yuan === undefined || !/^\d+\.\d\d$/.test(yuan)) throw new Error("not yuan with two decimals");
  return Number(yuan.replace(".", ""));
}

/** Formats cents as yuan with two decimals. */
export function yuan(amount: number): string {
  return String(amount)
    .padStart(3, "0")
    .replace(/(\d\d)$/, ".$1");
}
