import type { WalletFailure } from "@tillkit/core";
import { readJson, verifySignature } from "@tillkit/wallet-kit";
import { ok, type Result } from "neverthrow";
import * as z from "zod";
import { detailOf, unknownOutcome } from "./classify-result.js";
import type { AlipayKey } from "../credentials/parse-credentials.js";
import { rawMembers } from "./raw-members.js";
import { textOf } from "./text-of.js";

const responseNode = z.looseObject({
  code: z.string(),
  sub_code: z.string().optional(),
  out_trade_no: z.string().optional(),
});
/** A verified response: its codes and all other members. */
export type GatewayResponse = z.infer<typeof responseNode>;

/**
 * Verifies and reads the response to `method`.
 *
 * The response node is the member of the body with the result, such as
 * `alipay_trade_query_response`. The signature covers only the bytes of this node, not its name and
 * not the rest of the body. So if the node contains an order number, that number must be
 * `outTradeNo`.
 */
export function readResponse(
  body: Uint8Array,
  { method, outTradeNo }: { readonly method: string; readonly outTradeNo?: string },
  keys: readonly AlipayKey[],
): Result<GatewayResponse, WalletFailure> {
  const members = rawMembers(body);
  const node = members?.get(`${method.replaceAll(".", "_")}_response`) ?? members?.get("error_response");
  if (node === undefined) return unverified("is not a response of Alipay");
  const response = readNode(responseNode, node);
  // An unsigned refusal is not trusted, but its code helps an operator.
  const codes = response === undefined ? "" : ` (${detailOf(response)})`;
  const signature = readJson(z.string(), members?.get("sign"));
  if (signature === undefined) return unverified(`has no signature${codes}`);
  const sn = readJson(z.string(), members?.get("alipay_cert_sn"));
  const candidates = keysFor(keys, sn);
  if (candidates.length === 0)
    return unverified(
      `is signed with a certificate that alipayCertificate does not contain and that could not be downloaded: add the new certificate${codes}`,
    );
  if (!candidates.some(({ key }) => verifySignature(node, signature, key)))
    return unverified(`has a signature that no key of the account verifies${codes}`);
  if (response === undefined) return unverified("is signed, but does not have the documented format");
  // A genuine response about another order must not be used for this one.
  if (response.out_trade_no !== undefined && response.out_trade_no !== outTradeNo)
    return unverified("is about another order");
  return ok(response);
}

/** Returns the SN of the certificate that signed a response, or `undefined` if it names none. */
export function certificateNamedIn(body: Uint8Array): string | undefined {
  return readJson(z.string(), rawMembers(body)?.get("alipay_cert_sn"));
}

/**
 * Reads a node with `schema`. Numbers of the JSON text become strings.
 *
 * A JavaScript number would lose digits of a long trade number, or zeros at the end of an amount.
 */
function readNode<T>(schema: z.ZodType<T>, node: Uint8Array | undefined): T | undefined {
  if (node === undefined) return undefined;
  const values = readJson(z.record(z.string(), z.unknown()), textOf(node));
  if (values === undefined) return undefined;
  const isNumber = (value: unknown) => typeof value === "number";
  if (!Object.values(values).some(isNumber)) return schema.safeParse(values).data;
  const written = rawMembers(node);
  const texts = Object.entries(values).map(([name, value]): readonly [string, unknown] => {
    const text = written?.get(name);
    return [name, isNumber(value) && text !== undefined ? textOf(text) : value];
  });
  return schema.safeParse(Object.fromEntries(texts)).data;
}

const certificateNode = z.object({ code: z.literal("10000"), alipay_cert_content: z.string() });

/**
 * Returns the certificate text in the response to `method`, or `undefined` if there is none.
 *
 * Alipay may sign this response with the certificate that it contains. So the caller must verify
 * the certificate chain. If the response names a known certificate, the signature must be valid.
 */
export function certificateTextIn(
  body: Uint8Array,
  method: string,
  keys: readonly AlipayKey[],
): string | undefined {
  const members = rawMembers(body);
  const node = members?.get(`${method.replaceAll(".", "_")}_response`);
  const response = readNode(certificateNode, node);
  if (node === undefined || response === undefined) return undefined;
  const signature = readJson(z.string(), members?.get("sign")) ?? "";
  const sn = readJson(z.string(), members?.get("alipay_cert_sn"));
  const named = keys.filter((key) => key.sn === sn);
  const forged = named.length > 0 && !named.some(({ key }) => verifySignature(node, signature, key));
  return forged ? undefined : Buffer.from(response.alipay_cert_content, "base64").toString("utf8");
}

/** Returns the keys that may have signed a message with this SN, or all keys if it has no SN. */
export function keysFor(keys: readonly AlipayKey[], sn: string | undefined): readonly AlipayKey[] {
  return keys.filter((key) => sn === undefined || sn === "" || key.sn === undefined || key.sn === sn);
}

function unverified(what: string) {
  return unknownOutcome("unverified", `the response ${what}`);
}
