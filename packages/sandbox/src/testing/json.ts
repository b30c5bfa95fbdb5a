import * as z from "zod";

/** Parses a JSON object with members of unknown types. Throws if the text is not an object. */
export function members(text: string): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

const sealed = z.object({
  algorithm: z.literal("AEAD_AES_256_GCM"),
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string(),
});
const notification = z.object({ id: z.string(), event_type: z.string(), resource: sealed });

/** Parses the envelope of a WeChat Pay notification. */
export function envelope(body: string): z.infer<typeof notification> {
  return notification.parse(JSON.parse(body));
}

/** Returns the only certificate in a response of WeChat Pay. */
export function onlyCertificate(answer: unknown) {
  const certificate = z.object({ serial_no: z.string(), encrypt_certificate: sealed });
  const [only] = z.object({ data: z.tuple([certificate]) }).parse(answer).data;
  return only;
}

/** Returns the `code` of a WeChat Pay response, or `ok` if it has none. */
export function codeIn(text: string): string {
  return z.object({ code: z.string().default("ok") }).parse(JSON.parse(text)).code;
}

/** Returns the only node of an Alipay response, with its name as `name`. */
export function nodeIn(text: string): Readonly<Record<string, string>> {
  const answer = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const [name, node] = Object.entries(answer).find(([member]) => member.endsWith("_response")) ?? ["none"];
  return { name, ...z.record(z.string(), z.string()).parse(node) };
}
