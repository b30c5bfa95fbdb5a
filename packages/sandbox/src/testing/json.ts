import { z } from "zod";

/** The members of a JSON object, none of them trusted yet. Throws when the text is no object. */
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

/** The envelope of a notification of WALLET_A. */
export function envelope(body: string): z.infer<typeof notification> {
  return notification.parse(JSON.parse(body));
}

/** The one certificate in the answer of WALLET_A. */
export function onlyCertificate(answer: unknown) {
  const certificate = z.object({ serial_no: z.string(), encrypt_certificate: sealed });
  const [only] = z.object({ data: z.tuple([certificate]) }).parse(answer).data;
  return only;
}

/** The `code` of an answer of WALLET_A; `ok` when it has none. */
export function codeIn(text: string): string {
  return z.object({ code: z.string().default("ok") }).parse(JSON.parse(text)).code;
}

/** The one node in an answer of WALLET_B, with its name as `name`. */
export function nodeIn(text: string): Readonly<Record<string, string>> {
  const answer = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const [name, node] = Object.entries(answer).find(([member]) => member.endsWith("_response")) ?? ["none"];
  return { name, ...z.record(z.string(), z.string()).parse(node) };
}
