/** Returns the request that creates an order. */
export function orderOf(
  order: { readonly bizNo: string; readonly customer: string } | undefined,
): RequestInit {
  const { bizNo = "", customer = "" } = order ?? {};
  const terms = { bizNo, customerIdentity: customer, amount: 600, goodsTitle: bizNo };
  return {
    method: "POST",
    body: JSON.stringify({ ...terms, payChannel: "WALLET_A", serviceTypeNo: "month" }),
  };
}

/** Returns the last text with this name in a JSON value, or an empty text. */
export function textIn(value: unknown, name: string): string {
  const found = [...JSON.stringify(value ?? "").matchAll(new RegExp(`"${name}":"([^"]*)"`, "g"))];
  return found.at(-1)?.[1] ?? "";
}
