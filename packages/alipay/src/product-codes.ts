import { PAY_SOURCES, type PaySource } from "@tillkit/core";
import { readJson } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import { type AlipayCredentialProblem, credentialProblem } from "./credentials/credential-problem.js";

/** The product of each `paySource`, unless the credentials name another one. */
const USUAL_PRODUCTS = {
  APP: "QUICK_MSECURITY_PAY",
  H5: "QUICK_WAP_WAY",
  NATIVE: "FACE_TO_FACE_PAYMENT",
  JSAPI: "JSAPI_PAY",
  PC: "FAST_INSTANT_TRADE_PAY",
} as const satisfies Record<PaySource, string>;

/** A `product_code` of Alipay by the `paySource` that uses it. */
export type ProductCodes = { readonly [Source in PaySource]?: string | undefined };

const productCode = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/);
const codesOfSources = z.strictObject(
  Object.fromEntries(PAY_SOURCES.map((paySource) => [paySource, productCode.optional()])),
);

/** Returns the product code for a payment: that of the credentials, or the usual one. */
export function productCodeOf(paySource: PaySource, productCodes: ProductCodes): string {
  return productCodes[paySource] ?? USUAL_PRODUCTS[paySource];
}

/** Parses the product codes that the merchant's contracts need instead of the usual ones. */
export function readProductCodes({
  productCodes,
}: {
  readonly productCodes?: string | undefined;
}): Result<ProductCodes, AlipayCredentialProblem> {
  if (productCodes === undefined) return ok({});
  const codes = readJson(codesOfSources, productCodes);
  return codes === undefined ? err(credentialProblem("productCodes", "malformed")) : ok(codes);
}
