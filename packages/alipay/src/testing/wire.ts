import { createSign, createVerify } from "node:crypto";

// The wallet's side of the wire, written from its documentation and sharing nothing with the adapter.

/** Every name once, value as it was before the form was made; throws for a name that comes twice. */
export function formOf(...texts: string[]): Map<string, string> {
  const form = new Map<string, string>();
  for (const text of texts)
    for (const [name, value] of new URLSearchParams(text)) {
      if (form.has(name)) throw new Error(`${name} came twice`);
      form.set(name, value);
    }
  return form;
}

/** The text that is signed: by bytes of the names, without empty values and without what is in `left`. */
export function signedText(form: ReadonlyMap<string, string>, left: readonly string[]): string {
  const names = [...form.keys()].filter((name) => !left.includes(name) && form.get(name) !== "");
  names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return names.map((name) => name + "=" + (form.get(name) ?? "")).join("&");
}

/** SHA256withRSA over bytes, or over the UTF-8 bytes of a text. */
export function signature(text: string | Uint8Array, privateKey: string): string {
  return createSign("sha256WithRSAEncryption").update(text).sign(privateKey, "base64");
}

/** Whether a request is signed by the app: `sign_type` belongs to the text. */
export function isSignedRequest(form: ReadonlyMap<string, string>, appPublicKey: string): boolean {
  const verifier = createVerify("sha256WithRSAEncryption").update(signedText(form, ["sign"]), "utf8");
  return verifier.verify(appPublicKey, form.get("sign") ?? "", "base64");
}

/** A signed notification: `sign_type` does not belong to the text. */
export function notificationBody(facts: Readonly<Record<string, string>>, walletPrivateKey: string): string {
  const sign = signature(signedText(new Map(Object.entries(facts)), ["sign", "sign_type"]), walletPrivateKey);
  return new URLSearchParams({ ...facts, sign }).toString();
}

/** JSON as the wallet writes it: slashes escaped, a space here and there. */
export function walletJson(node: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(node).replaceAll("/", "\\/").replace('","', '" , "');
}

const shanghai = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Shanghai",
  dateStyle: "short",
  timeStyle: "medium",
});

/** The time in Beijing, by the zone's own rules. */
export function shanghaiTime(instant: number): string {
  return shanghai.format(instant);
}

/** Cents of a yuan text that has exactly two decimals. */
export function cents(yuan: string | undefined): number {
  if (yuan === undefined || !/^\d+\.\d\d$/.test(yuan)) throw new Error("not yuan with two decimals");
  return Number(yuan.replace(".", ""));
}

/** Yuan with two decimals. */
export function yuan(amount: number): string {
  return String(amount)
    .padStart(3, "0")
    .replace(/(\d\d)$/, ".$1");
}
